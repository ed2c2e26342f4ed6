/**
 * The part of `HostOptions` about the audit log.
 *
 * In a file that imports no library: the packed host contains its libraries without their types.
 */
export interface AuditOptions {
  /**
   * File of the audit log: a line for each call and each decision, of every component with `tool_components`. Only this
   * user can read it. It is continued if it exists.
   *
   * @default none
   */
  auditLog?: string
  /**
   * Sends each line as an OTLP log to the collector of `OTEL_EXPORTER_OTLP_LOGS_ENDPOINT` or
   * `OTEL_EXPORTER_OTLP_ENDPOINT`, with or without a file.
   *
   * @default false
   */
  auditOtlp?: boolean
  /**
   * Refuses all requests with 503 while the log cannot be written: to the file, or without one, while as many lines wait
   * for the collector as may.
   *
   * @default false: a problem is reported
   */
  auditRequired?: boolean
  /**
   * Puts each line on the disk before the request is answered. Otherwise the system does so within seconds: the end of
   * this process loses nothing, the end of the machine's power may.
   *
   * @default false
   */
  auditSync?: boolean
  /** Bytes after which the file is put aside under another name. @default 104_857_600 */
  auditMaxBytes?: number
}

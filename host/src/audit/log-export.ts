/**
 * Sends the lines of an audit log as OTLP logs, by OpenTelemetry's own exporter.
 *
 * The queue is ours: the one of the SDK drops a batch that a collector did not take, and says nothing. Here a batch is
 * sent again until it is taken, and what does not fit into the queue is counted and reported.
 */
import type { Resource } from '@opentelemetry/resources'
import type { LogRecordExporter, ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { LogSettings } from '../telemetry/settings.ts'
import { logRecordOf } from './log-record.ts'

export interface LogExportOptions {
  settings: LogSettings
  resource: Resource
  exporter: Pick<LogRecordExporter, 'export'>
  onProblem: (message: string) => void
}

/** Milliseconds until a batch is sent again: at first, and at most. */
const RETRY_MS = 500
const MAX_RETRY_MS = 15_000

/** Milliseconds a host that closes waits for a collector. */
const FLUSH_MS = 2000

/** Statuses of a collector that will never take the batch. */
const POINTLESS = [400, 413]

export class LogExport {
  readonly #options: LogExportOptions
  #waiting: ReadableLogRecord[] = []
  #sending: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #retryMs = 0
  #isDown = false
  /** Lines that were not sent, since the last report. */
  #lost = 0

  constructor(options: LogExportOptions) {
    this.#options = options
  }

  static async start(options: Omit<LogExportOptions, 'exporter'>): Promise<LogExport> {
    return new LogExport({ ...options, exporter: await exporterFor(options.settings) })
  }

  /** Whether a further line would be lost. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#options.settings.maxQueueSize
  }

  /** @param line as it is in the chain. */
  add(line: string): void {
    const { settings, resource, onProblem } = this.#options
    if (this.isFull) {
      if (this.#lost++ === 0) {
        onProblem(
          `audit lines for ${settings.url} are lost: ${settings.maxQueueSize} are waiting already (OTEL_BLRP_MAX_QUEUE_SIZE)`,
        )
      }
      return
    }
    this.#waiting.push(logRecordOf(line, resource))
    this.#schedule()
  }

  /** Sends what waits, for at most two seconds, and reports what a collector did not take. */
  async close(): Promise<void> {
    const end = performance.now() + FLUSH_MS
    while (this.#waiting.length > 0 && performance.now() < end) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      const late = new Promise<void>((done) => {
        setTimeout(done, end - performance.now()).unref()
      })
      await Promise.race([this.#send(), late])
      if (this.#isDown) break
    }
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#lost += this.#waiting.length
    this.#waiting = []
    this.#reportLost()
  }

  #schedule(): void {
    if (this.#timer ?? this.#sending) return
    const { delayMs, maxBatchSize } = this.#options.settings
    const waitMs = this.#waiting.length >= maxBatchSize ? 0 : delayMs
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        void this.#send()
      },
      Math.max(this.#retryMs, waitMs),
    ).unref()
  }

  /** One batch at a time, so that lines arrive in order. */
  #send(): Promise<void> {
    return (this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined
      if (this.#waiting.length > 0) this.#schedule()
    }))
  }

  async #sendBatch(): Promise<void> {
    const { exporter, settings } = this.#options
    const batch = this.#waiting.slice(0, settings.maxBatchSize)
    const { code, error } = await new Promise<{ code: number; error?: Error }>((settle) =>
      exporter.export(batch, settle),
    )
    // Those behind it waited meanwhile, so its own are still the first.
    if (code === 0) {
      this.#waiting.splice(0, batch.length)
      this.#retryMs = 0
      this.#recovered()
      return
    }
    if (POINTLESS.includes(statusOf(error))) {
      this.#waiting.splice(0, batch.length)
      this.#lost += batch.length
    }
    this.#retryMs = Math.min(Math.max(this.#retryMs * 2, RETRY_MS), MAX_RETRY_MS)
    this.#failed(error)
  }

  #failed(error: Error | undefined): void {
    if (this.#isDown) return
    this.#isDown = true
    const { settings, onProblem } = this.#options
    const reason = error && (error.message || codeOf(error))
    onProblem(
      `audit lines do not arrive at ${settings.url}${reason ? `: ${reason}` : ''}; up to ` +
        `${settings.maxQueueSize} wait and are sent again; this is reported once`,
    )
  }

  #recovered(): void {
    if (this.#isDown) this.#options.onProblem('audit lines arrive again')
    this.#isDown = false
    this.#reportLost()
  }

  #reportLost(): void {
    if (this.#lost === 0) return
    const lines = this.#lost === 1 ? '1 audit line was' : `${this.#lost} audit lines were`
    this.#options.onProblem(`${lines} not sent to ${this.#options.settings.url}`)
    this.#lost = 0
  }
}

/** Of a response of the collector. */
function statusOf(error: Error | undefined): number {
  return error && 'code' in error && typeof error.code === 'number' ? error.code : 0
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name
}

async function exporterFor({ url, encoding }: LogSettings): Promise<LogRecordExporter> {
  const { OTLPLogExporter } =
    encoding === 'http/json'
      ? await import('@opentelemetry/exporter-logs-otlp-http')
      : await import('@opentelemetry/exporter-logs-otlp-proto')
  return new OTLPLogExporter({ url })
}

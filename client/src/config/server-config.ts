/** Which revision of the protocol to speak: look for the newest, the handshake of 2025-11-25 and earlier, or one only. */
export type ProtocolChoice = 'auto' | 'legacy' | '2026-07-28'

interface CommonConfig {
  /** @default 'auto' */
  protocol?: ProtocolChoice
  /** Tools that nobody is shown and nobody can call. @default [] */
  deniedTools?: readonly string[]
}

/** A server that runs as a process of this machine and speaks over its standard streams. */
export interface ProcessConfig extends CommonConfig {
  /** Executable; looked for in `PATH`. */
  command: string
  args?: readonly string[]
  /**
   * Variables of the process besides a few harmless ones (`PATH`, `HOME`, …). The rest of this process's environment is
   * not passed on: it may hold secrets of other servers.
   */
  env?: Readonly<Record<string, string>>
  /** Folder it runs in. @default that of this process */
  cwd?: string
}

/** A server that speaks Streamable HTTP. */
export interface HttpConfig extends CommonConfig {
  /** `http:` or `https:` */
  url: string
  /** Sent with every request, for example `authorization`. */
  headers?: Readonly<Record<string, string>>
}

/** How a server is reached: as a process, or by HTTP. */
export type ServerConfig = ProcessConfig | HttpConfig

export function isHttp(config: ServerConfig): config is HttpConfig {
  return 'url' in config
}

/** Protocol revision to use: the newest the server has, the handshake of 2025-11-25 and earlier, or only 2026-07-28. */
export type ProtocolChoice = 'auto' | 'legacy' | '2026-07-28'

interface CommonConfig {
  /** @default 'auto' */
  protocol?: ProtocolChoice
  /** Tools that a `Manager` does not list, find or call. A `Client` without a manager ignores this list. @default [] */
  deniedTools?: readonly string[]
}

/** A server that runs as a process on this machine and communicates over its standard streams. */
export interface ProcessConfig extends CommonConfig {
  /** Executable; searched in `PATH`. */
  command: string
  args?: readonly string[]
  /**
   * Environment variables of the process, besides a few harmless ones (`PATH`, `HOME`, …). The rest of this process's
   * environment is not passed on: it may hold secrets of other servers.
   */
  env?: Readonly<Record<string, string>>
  /** Working directory. @default that of this process */
  cwd?: string
}

/** A server that uses Streamable HTTP. */
export interface HttpConfig extends CommonConfig {
  /** `http:` or `https:` */
  url: string
  /** Sent with every request, for example `authorization`. */
  headers?: Readonly<Record<string, string>>
}

/** How to connect to a server: as a process, or over HTTP. */
export type ServerConfig = ProcessConfig | HttpConfig

export function isHttp(config: ServerConfig): config is HttpConfig {
  return 'url' in config
}

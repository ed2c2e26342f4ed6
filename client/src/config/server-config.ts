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

/** How to authenticate at a server. Secrets are named by environment variable or file, so that a file can be shared. */
export interface AuthConfig {
  /** `stored`: the tokens of `ftl login`; `client_credentials`: a machine with credentials of its own. @default 'stored' */
  grant?: 'stored' | 'client_credentials'
  /** Id of a client that is registered at the authorization server. */
  clientId?: string
  /** Environment variable with the client's secret; needs `issuer`. */
  clientSecretEnv?: string
  /** Environment variable with the client's private key, as PEM or JWK. */
  privateKeyEnv?: string
  /** File with the client's private key. */
  privateKeyFile?: string
  /** The authorization server. @default the first one that the server names */
  issuer?: string
  /** Separated by spaces. @default those that the server requires */
  scope?: string
}

/** A server that uses Streamable HTTP. */
export interface HttpConfig extends CommonConfig {
  /** `http:` or `https:` */
  url: string
  /** @default none: only `headers` are sent */
  auth?: AuthConfig
  /** Sent with every request, for example `authorization`. */
  headers?: Readonly<Record<string, string>>
}

/** How to connect to a server: as a process, or over HTTP. */
export type ServerConfig = ProcessConfig | HttpConfig

export function isHttp(config: ServerConfig): config is HttpConfig {
  return 'url' in config
}

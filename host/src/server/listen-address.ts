/** The address a host listens on. */

export interface ListenAddress {
  host: string
  /** 0 takes a free one. */
  port: number
}

/** Another program listens there. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError'
  readonly host: string
  readonly port: number

  constructor(host: string, port: number) {
    super(`${host}:${port} is already in use`)
    this.host = host
    this.port = port
  }
}

/** @throws {Error} unless `text` is `host:port`, with an IPv6 address in brackets. */
export function parseListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535) {
    throw new Error(`"${text}" is not an address; write host:port, for example 127.0.0.1:3000`)
  }
  return { host, port: Number(port) }
}

/** Where clients on this machine reach a server that listens on `host`. */
export function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

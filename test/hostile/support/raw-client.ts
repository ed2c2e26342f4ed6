import { connect, type Socket } from 'node:net'

/** No test is about this limit: a machine with too much to do only must not fail it. Tests of a time limit give one. */
const PATIENCE_MS = 20_000

/** A client that sends exactly the bytes it is given, well-formed or not. */
export class RawClient {
  readonly socket: Socket
  /** Everything received so far, as Latin-1 text. */
  received = ''
  closed = false

  constructor(port: number, host = '127.0.0.1') {
    this.socket = connect({ port, host })
    this.socket.setNoDelay(true)
    this.socket.on('data', (bytes: Buffer) => (this.received += bytes.toString('latin1')))
    this.socket.on('error', () => {})
    this.socket.on('close', () => (this.closed = true))
  }

  /** Lines are joined with CRLF; an array that ends with two empty strings ends the head. */
  send(...lines: string[]): this {
    this.socket.write(Buffer.from(lines.join('\r\n'), 'latin1'))
    return this
  }

  /** @returns the status of the first response. @throws {Error} when none comes in time. */
  async status(milliseconds = PATIENCE_MS): Promise<number> {
    await this.#until(() => /^HTTP\/1\.1 \d{3}/.test(this.received), milliseconds, 'a response')
    return Number(this.received.slice(9, 12))
  }

  /** @throws {Error} when `text` does not come in time. */
  async text(text: string | RegExp, milliseconds = PATIENCE_MS): Promise<string> {
    const has = () =>
      typeof text === 'string' ? this.received.includes(text) : text.test(this.received)
    await this.#until(has, milliseconds, String(text))
    return this.received
  }

  /** @returns milliseconds until the server closed the connection. @throws {Error} when it does not in time. */
  async end(milliseconds = PATIENCE_MS): Promise<number> {
    const started = performance.now()
    await this.#until(() => this.closed, milliseconds, 'the end of the connection')
    return performance.now() - started
  }

  destroy(): void {
    this.socket.destroy()
  }

  async #until(seen: () => boolean, milliseconds: number, what: string): Promise<void> {
    const deadline = performance.now() + milliseconds
    while (!seen()) {
      if (performance.now() > deadline || (this.closed && !seen())) {
        if (seen()) return
        throw new Error(`expected ${what}; received ${JSON.stringify(this.received.slice(0, 300))}`)
      }
      await new Promise((wake) => setTimeout(wake, 5))
    }
  }
}

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { ViolationError } from '../errors.ts'
import { failureResponse, type PendingRequests } from './pending-requests.ts'
import { isObject } from '../is-object.ts'

export interface MessageReaderOptions {
  /** Name of the server, for messages. */
  name: string
  pending: PendingRequests
  /** Longest message accepted, in bytes; a server could otherwise fill this process's memory. @default 64 MiB */
  maxMessageBytes?: number
}

export interface MessageReaderEvents {
  message: (message: JSONRPCMessage) => void
  /** A line that is not a message and cannot be assigned to a pending request. */
  invalid: (error: ViolationError) => void
}

const QUOTED_CHARACTERS = 200

/** Parses the standard output of a server into messages. */
export class MessageReader {
  readonly #options: MessageReaderOptions
  readonly #events: MessageReaderEvents
  readonly #lines: LineSplitter

  constructor(options: MessageReaderOptions, events: MessageReaderEvents) {
    this.#options = options
    this.#events = events
    this.#lines = new LineSplitter(options.maxMessageBytes ?? 64 * 1024 * 1024)
  }

  /** @throws {RangeError} for a message that is longer than allowed. */
  push(chunk: Buffer): void {
    this.#lines.push(chunk, (line) => this.#line(line.trim()))
  }

  #line(line: string): void {
    if (line === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#unreadable(line)
      return
    }
    // Revision 2025-03-26 has batches.
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (!isMessage(each)) {
        this.#unreadable(line)
        continue
      }
      if (!('method' in each) && each.id !== undefined) this.#options.pending.settle(each.id)
      this.#events.message(each)
    }
  }

  /** Some servers also log to stdout. A broken line that looks like an answer fails the request it belongs to. */
  #unreadable(line: string): void {
    const { name, pending } = this.#options
    const error = new ViolationError(
      `server "${name}" sent a line that is not a message: ${quoted(line)}`,
    )
    const owner = line.startsWith('{') ? pending.owner(idOf(line)) : undefined
    if (owner === undefined) this.#events.invalid(error)
    else this.#events.message(failureResponse(owner, error))
  }
}

function quoted(line: string): string {
  return line.length > QUOTED_CHARACTERS ? `${line.slice(0, QUOTED_CHARACTERS)}…` : line
}

/** `\n` */
const LINE_END = 10

/** Cuts a stream of bytes into lines. The cost of a line is linear in its length. */
export class LineSplitter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @throws {RangeError} for a line that is longer than allowed. */
  push(chunk: Buffer, onLine: (line: string) => void): void {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      this.#keep(chunk.subarray(from, end))
      from = end + 1
      onLine(this.#take())
    }
    this.#keep(chunk.subarray(from))
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) {
      throw new RangeError(`a line of more than ${this.#maxBytes} bytes`)
    }
    this.#parts.push(part)
  }

  #take(): string {
    const [first] = this.#parts
    const whole = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    // Decode the whole line at once: a chunk may end within a character.
    return whole.toString('utf8')
  }
}

/** Whether the official client accepts it: a request, a notification or a response. Source: JSON-RPC 2.0. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false
  if (typeof value['method'] === 'string') return true
  if (!('id' in value)) return false
  const { result, error } = value
  if (isObject(result)) return error === undefined
  return isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
}

/** The id in a line that is not valid JSON. */
function idOf(line: string): RequestId | undefined {
  const [, number, text] = /"id"\s*:\s*(?:(\d+)|"([^"\\]*)")/.exec(line) ?? []
  return number === undefined ? text : Number(number)
}

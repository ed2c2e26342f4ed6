import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { ViolationError } from '../errors.ts'
import { LineSplitter } from './line-splitter.ts'
import { idOf, isMessage } from './messages.ts'
import type { Pending } from './pending.ts'
import { troubleWith } from './trouble.ts'

export interface InboxOptions {
  /** Name of the server, for messages. */
  name: string
  pending: Pending
  /** Longest message accepted, in bytes; a server could otherwise fill this process's memory. @default 64 MiB */
  maxMessageBytes?: number
}

export interface InboxEvents {
  message: (message: JSONRPCMessage) => void
  /** A line that is not a message and cannot be assigned to a pending request. */
  nonsense: (error: ViolationError) => void
}

const QUOTED_CHARACTERS = 200

/** Parses the standard output of a server into messages. */
export class Inbox {
  readonly #options: InboxOptions
  readonly #events: InboxEvents
  readonly #lines: LineSplitter

  constructor(options: InboxOptions, events: InboxEvents) {
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
    if (owner === undefined) this.#events.nonsense(error)
    else this.#events.message(troubleWith(owner, error))
  }
}

function quoted(line: string): string {
  return line.length > QUOTED_CHARACTERS ? `${line.slice(0, QUOTED_CHARACTERS)}…` : line
}

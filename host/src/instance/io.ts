/** `wasi:io/{error,poll,streams}`: the only place where a guest may wait. */
import type { Guest } from './guest.ts'
import { HANDLE_BYTES } from './handles.ts'
import { HttpError } from '../http/http-error.ts'
import { writeErrorCode } from './error-code.ts'
import type { ImportFunction } from './jspi.ts'
import type { ByteSink, ByteSource } from '../http/pipe.ts'
import { ALWAYS_READY, type Pollable } from '../http/wake-signal.ts'
import { Trap } from './trap.ts'

/** What a pollable takes when it stands for nothing but itself: an object, and a timer's bigint. */
const POLLABLE_BYTES = 128

/** What a further handle of the same pollable takes: its place in the table. */
const PLACE_BYTES = 16

export class PollHandle {
  #pollable: Pollable
  /** Besides the {@link HANDLE_BYTES} that every handle is charged; most take less. */
  readonly bytes: number

  constructor(pollable: Pollable, bytes: number = POLLABLE_BYTES) {
    this.#pollable = pollable
    this.bytes = bytes - HANDLE_BYTES
  }

  get pollable(): Pollable {
    return this.#pollable
  }

  /** Lets go of what it waits for. */
  sever(): void {
    this.#pollable = ALWAYS_READY
  }
}

/**
 * The pollable of a stream, the same one however often the guest subscribes: engines leave a handle behind each time
 * they wait, a hundred thousand of them for a gigabyte.
 */
class StreamPollable {
  #handle: PollHandle | undefined

  of(pollable: Pollable): PollHandle {
    return (this.#handle ??= new PollHandle(pollable, PLACE_BYTES))
  }

  /** The stream is dropped: what is left of its pollable must not keep the stream's bytes. */
  sever(): void {
    this.#handle?.sever()
  }
}

/** A `wasi:io/error.error`. */
export class IoError {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

export class InputStream {
  readonly source: ByteSource & { dispose?(): void }
  readonly #pollable = new StreamPollable()

  constructor(source: ByteSource & { dispose?(): void }) {
    this.source = source
  }

  get readable(): PollHandle {
    return this.#pollable.of(this.source)
  }

  dispose(): void {
    this.#pollable.sever()
    this.source.dispose?.()
  }
}

export class OutputStream {
  readonly sink: ByteSink
  readonly #pollable = new StreamPollable()

  constructor(sink: ByteSink) {
    this.sink = sink
  }

  get writable(): PollHandle {
    return this.#pollable.of(this.sink.writable)
  }

  dispose(): void {
    this.#pollable.sever()
  }
}

/** Pollables a guest may wait for at once: each is a subscription, and perhaps a timer, while it waits. */
const MAX_POLLABLES = 10_000

/** One read gives a guest no more than this, whatever it asks for. */
const READ_LIMIT = 1024 * 1024

const limited = (length: bigint) => Number(length < 0n || length > READ_LIMIT ? READ_LIMIT : length)

export function ioErrorImports({ memory, handles }: Guest): Record<string, ImportFunction> {
  return {
    '[resource-drop]error': (self: number) => handles.drop(self, IoError),
    '[method]error.to-debug-string': (self: number, ret: number) => {
      const { cause } = handles.get(self, IoError)
      memory.setString(ret, cause instanceof HttpError ? cause.code : 'stream failed')
    },
    // Of wasi:http/types; it belongs here because only stream errors reach it.
    'http-error-code': (self: number, ret: number) => {
      const { cause } = handles.get(self, IoError)
      memory.setU8(ret, cause instanceof HttpError ? 1 : 0)
      if (cause instanceof HttpError) writeErrorCode(memory, ret + 8, cause.code)
    },
  }
}

export function pollImports(guest: Guest): Record<string, ImportFunction> {
  const { memory, handles } = guest
  const pollable = (handle: number) => handles.get(handle, PollHandle).pollable
  return {
    '[resource-drop]pollable': (self: number) => handles.drop(self, PollHandle),
    '[method]pollable.ready': (self: number) => (pollable(self).ready() ? 1 : 0),
    '[method]pollable.block': (self: number) => guest.whenReady([pollable(self)], () => undefined),
    poll: (list: number, count: number, ret: number) => {
      // Waiting for nothing would never end.
      if (count === 0) throw new Trap('poll of an empty list')
      if (count >>> 0 > MAX_POLLABLES)
        throw new Trap(`poll of more than ${MAX_POLLABLES} pollables`)
      const waits: Pollable[] = []
      for (let at = list; waits.length < count; at += 4) waits.push(pollable(memory.u32(at)))
      return guest.whenReady(waits, () => {
        const ready: number[] = []
        for (let index = 0; index < count; index++) if (waits[index]?.ready()) ready.push(index)
        const to = memory.allocate(ready.length, 4)
        for (let i = 0; i < ready.length; i++) memory.setU32(to + 4 * i, ready[i] ?? 0)
        memory.setList(ret, to, ready.length)
      })
    },
  }
}

export function inputStreamImports(guest: Guest): Record<string, ImportFunction> {
  const { memory, handles } = guest
  const stream = (handle: number) => handles.get(handle, InputStream)

  // result<list<u8>, stream-error> has its payload at 4, result<u64, stream-error> at 8.
  const attempt = (ret: number, payload: number, read: () => Uint8Array | undefined) => {
    try {
      const chunk = read()
      memory.setU8(ret, chunk === undefined ? 1 : 0)
      if (chunk === undefined) memory.setU8(ret + payload, 1)
      else if (payload === 4) memory.setBytes(ret + 4, chunk)
      else memory.setU64(ret + 8, chunk.length)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      writeFailure(guest, ret, payload, error)
    }
  }
  const take = (payload: number) => (self: number, length: bigint, ret: number) =>
    attempt(ret, payload, () => stream(self).source.read(limited(length)))
  const blocking = (payload: number) => (self: number, length: bigint, ret: number) => {
    const { source } = stream(self)
    if (length === 0n) return attempt(ret, payload, () => source.read(0))
    return guest.whenReady([source], () =>
      attempt(ret, payload, () => source.read(limited(length))),
    )
  }
  return {
    '[resource-drop]input-stream': (self: number) => handles.drop(self, InputStream),
    '[method]input-stream.read': take(4),
    '[method]input-stream.blocking-read': blocking(4),
    '[method]input-stream.skip': take(8),
    '[method]input-stream.blocking-skip': blocking(8),
    '[method]input-stream.subscribe': (self: number) => handles.add(stream(self).readable),
  }
}

/** Writes `err(last-operation-failed(error))`. */
export function writeFailure(guest: Guest, ret: number, payload: number, error: HttpError): void {
  guest.memory.setU8(ret, 1)
  guest.memory.setU8(ret + payload, 0)
  guest.memory.setU32(ret + payload + 4, guest.handles.add(new IoError(error)))
}

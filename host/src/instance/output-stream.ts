/** `wasi:io/streams.output-stream`. */
import type { Guest } from './guest.ts'
import { HttpError } from '../http/http-error.ts'
import { InputStream, OutputStream, writeFailure } from './io.ts'
import type { ImportFunction } from './jspi.ts'
import type { ByteSink } from '../http/pipe.ts'
import { Trap } from './trap.ts'

export function outputStreamImports(guest: Guest): Record<string, ImportFunction> {
  const { memory, handles } = guest
  const sink = (handle: number) => handles.get(handle, OutputStream).sink

  // Both result<_, stream-error> (payload at 4) and result<u64, stream-error> (at 8): err(closed) is 1, 1.
  const closed = (ret: number, payload: number) => {
    memory.setU8(ret, 1)
    memory.setU8(ret + payload, 1)
  }
  const ok = (ret: number) => memory.setU8(ret, 0)
  const okCount = (ret: number, count: number) => {
    memory.setU8(ret, 0)
    memory.setU64(ret + 8, count)
  }

  const permitted = (to: ByteSink, size: number): boolean => {
    const permit = to.permit()
    if (permit === undefined) return false
    // The check-write contract: a guest that ignores its permit would make our memory its own.
    if (size > permit) throw new Trap('write beyond the permit of check-write')
    guest.account.require(size, 'bytes of bodies')
    return true
  }
  const write = (to: ByteSink, ret: number, size: number, bytes: () => Uint8Array) => {
    if (!permitted(to, size)) return closed(ret, 4)
    to.write(bytes())
    ok(ret)
  }
  // Waits for room piece by piece, so that a guest may hand over any size at once. A piece is made when it leaves:
  // the guest waits here, so its memory stays as it is.
  const writeAll = (
    to: ByteSink,
    ret: number,
    size: number,
    piece: (from: number, size: number) => Uint8Array,
    written = 0,
  ): unknown => {
    if (to.permit() === undefined) return closed(ret, 4)
    if (size === written) return ok(ret)
    return guest.whenReady([to.writable], () => {
      const permit = to.permit()
      if (permit === undefined) return closed(ret, 4)
      const now = Math.min(permit, size - written)
      guest.account.require(now, 'bytes of bodies')
      to.write(piece(written, now))
      if (written + now === size) return ok(ret)
      return writeAll(to, ret, size, piece, written + now)
    })
  }
  const splice = (to: ByteSink, from: number, length: bigint, ret: number) => {
    const permit = to.permit()
    if (permit === undefined) return closed(ret, 8)
    try {
      const wanted = BigInt.asUintN(64, length)
      const room = wanted < BigInt(permit) ? Number(wanted) : permit
      guest.account.require(room, 'bytes of bodies')
      const chunk = handles.get(from, InputStream).source.read(room)
      if (chunk === undefined) return closed(ret, 8)
      to.write(chunk.slice())
      okCount(ret, chunk.length)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      writeFailure(guest, ret, 8, error)
    }
  }
  // Bodies leave as soon as their reader takes them; there is nothing to push.
  const flush = (self: number, ret: number) =>
    sink(self).permit() === undefined ? closed(ret, 4) : ok(ret)

  return {
    '[resource-drop]output-stream': (self: number) => handles.drop(self, OutputStream),
    '[method]output-stream.check-write': (self: number, ret: number) => {
      const permit = sink(self).permit()
      if (permit === undefined) closed(ret, 8)
      else okCount(ret, permit)
    },
    '[method]output-stream.write': (self: number, at: number, size: number, ret: number) =>
      write(sink(self), ret, size, () => memory.bytes(at, size)),
    '[method]output-stream.write-zeroes': (self: number, size: bigint, ret: number) =>
      write(sink(self), ret, Number(size), () => new Uint8Array(Number(size))),
    '[method]output-stream.blocking-write-and-flush': (
      self: number,
      at: number,
      size: number,
      ret: number,
    ) => writeAll(sink(self), ret, size >>> 0, (from, length) => memory.bytes(at + from, length)),
    '[method]output-stream.blocking-write-zeroes-and-flush': (
      self: number,
      size: bigint,
      ret: number,
    ) =>
      writeAll(
        sink(self),
        ret,
        Number(BigInt.asUintN(64, size)),
        (_, length) => new Uint8Array(length),
      ),
    '[method]output-stream.flush': flush,
    '[method]output-stream.blocking-flush': flush,
    '[method]output-stream.splice': (self: number, from: number, length: bigint, ret: number) =>
      splice(sink(self), from, length, ret),
    '[method]output-stream.blocking-splice': (
      self: number,
      from: number,
      length: bigint,
      ret: number,
    ) => {
      const to = sink(self)
      const { source } = handles.get(from, InputStream)
      return guest.whenReady([source], () =>
        guest.whenReady([to.writable], () => splice(to, from, length, ret)),
      )
    },
    '[method]output-stream.subscribe': (self: number) =>
      handles.add(handles.get(self, OutputStream).writable),
  }
}

/** `wasi:clocks/{monotonic-clock,wall-clock}` and `wasi:random/random`. */
import type { Guest } from './guest.ts'
import { PollHandle } from './io.ts'
import type { ImportFunction } from './jspi.ts'
import { randomBytes, randomU64 } from './random-bytes.ts'
import { Timer } from './readiness.ts'
import { Trap } from './trap.ts'

/** Random bytes a guest may ask for at once. */
const RANDOM_LIMIT = 16 * 1024 * 1024

export function monotonicClockImports({ handles }: Guest): Record<string, ImportFunction> {
  const subscribe = (at: bigint) => handles.add(new PollHandle(new Timer(at)))
  return {
    now: () => process.hrtime.bigint(),
    resolution: () => 1n,
    'subscribe-instant': (at: bigint) => subscribe(BigInt.asUintN(64, at)),
    'subscribe-duration': (length: bigint) =>
      subscribe(process.hrtime.bigint() + BigInt.asUintN(64, length)),
  }
}

/** A `datetime`: seconds, then nanoseconds at 8. */
export function wallClockImports({ memory }: Guest): Record<string, ImportFunction> {
  const write = (ret: number, milliseconds: number) => {
    memory.setU64(ret, Math.floor(milliseconds / 1000))
    memory.setU32(ret + 8, Math.floor(milliseconds % 1000) * 1_000_000)
  }
  return {
    now: (ret: number) => write(ret, Date.now()),
    resolution: (ret: number) => write(ret, 1),
  }
}

export function randomImports({ memory }: Guest): Record<string, ImportFunction> {
  return {
    'get-random-bytes': (length: bigint, ret: number) => {
      if (length < 0n || length > RANDOM_LIMIT) throw new Trap('too many random bytes at once')
      memory.setBytes(ret, randomBytes(Number(length)))
    },
    'get-random-u64': randomU64,
  }
}

/** `wasi:clocks/{monotonic-clock,wall-clock}`. */
import type { Guest } from './guest.ts'
import { PollHandle } from './io.ts'
import type { ImportFunction } from './jspi.ts'
import { Timer } from './guest-timers.ts'

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
export function wallClockImports({ memory, services }: Guest): Record<string, ImportFunction> {
  const write = (ret: number, milliseconds: number) => {
    memory.setU64(ret, Math.floor(milliseconds / 1000))
    memory.setU32(ret + 8, Math.floor(milliseconds % 1000) * 1_000_000)
  }
  return {
    now: (ret: number) => write(ret, services.now?.() ?? Date.now()),
    resolution: (ret: number) => write(ret, 1),
  }
}

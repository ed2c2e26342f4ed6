/**
 * `wasi_snapshot_preview1`, the older interface the engine's C library calls: output and clocks.
 *
 * Files go through `wasi:filesystem`, so every file call here answers "no such descriptor".
 * @see https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
 */
import type { Guest } from './guest.ts'
import { GuestOutput, type LineLog } from './guest-output.ts'
import type { ImportFunction } from './jspi.ts'
import type { LogStream } from '../wire/messages.ts'
import { RANDOM_LIMIT, randomBytes } from './random.ts'
import { Trap } from './trap.ts'

const SUCCESS = 0
const BADF = 8
const CHARACTER_DEVICE = 2
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn
const STREAMS: Readonly<Record<number, LogStream>> = { 1: 'stdout', 2: 'stderr' }

export interface Preview1 {
  imports: Record<string, ImportFunction>
  /** Where a guest's output goes, by whichever interface it comes. */
  logs: Readonly<Record<LogStream, LineLog>>
  /** The request is over: nothing of its output may show up in the next one's. */
  flush(): void
}

export function preview1({ memory, services, limits }: Guest): Preview1 {
  const output = new GuestOutput(limits.outputBytes, (stream, line) => services.log(stream, line))
  const environment = Object.entries(services.environment).map(([name, value]) =>
    Buffer.from(`${name}=${value}\0`),
  )
  const badDescriptor = () => BADF
  return {
    logs: output.streams,
    flush: () => output.end(),
    imports: {
      fd_write: (fd: number, list: number, count: number, written: number) => {
        const stream = STREAMS[fd]
        if (stream === undefined) return BADF
        let total = 0
        for (let at = list; at < list + 8 * count; at += 8) {
          const size = memory.u32(at + 4)
          const start = memory.u32(at)
          output.streams[stream].writeFrom(size, (from, length) =>
            memory.bytes(start + from, length),
          )
          total += size
        }
        memory.setU32(written, total)
        return SUCCESS
      },
      fd_fdstat_get: (fd: number, ret: number) => {
        if (fd > 2) return BADF
        memory.zero(ret, 24)
        memory.setU8(ret, CHARACTER_DEVICE)
        memory.setU64(ret + 8, ALL_RIGHTS)
        return SUCCESS
      },
      clock_time_get: (id: number, _precision: bigint, ret: number) => {
        memory.setU64(
          ret,
          id === 0 ? BigInt(services.now?.() ?? Date.now()) * 1_000_000n : process.hrtime.bigint(),
        )
        return SUCCESS
      },
      // Nanoseconds between two values the clock can have.
      clock_res_get: (id: number, ret: number) => {
        memory.setU64(ret, id === 0 ? 1_000_000 : 1)
        return SUCCESS
      },
      args_sizes_get: (count: number, size: number) => {
        memory.setU32(count, 0)
        memory.setU32(size, 0)
        return SUCCESS
      },
      args_get: () => SUCCESS,
      environ_sizes_get: (count: number, size: number) => {
        memory.setU32(count, environment.length)
        memory.setU32(size, Buffer.concat(environment).length)
        return SUCCESS
      },
      environ_get: (pointers: number, at: number) => {
        for (const [i, entry] of environment.entries()) {
          memory.setU32(pointers + 4 * i, at)
          for (const byte of entry) memory.setU8(at++, byte)
        }
        return SUCCESS
      },
      random_get: (at: number, length: number) => {
        const size = length >>> 0
        if (size > RANDOM_LIMIT) throw new Trap('too many random bytes at once')
        memory.fill(at, randomBytes(size))
        return SUCCESS
      },
      proc_exit: (code: number) => {
        throw new Trap(`the guest ended itself with exit code ${code}`)
      },
      fd_close: badDescriptor,
      fd_fdstat_set_flags: badDescriptor,
      fd_prestat_get: badDescriptor,
      fd_prestat_dir_name: badDescriptor,
      fd_read: badDescriptor,
      fd_readdir: badDescriptor,
      fd_seek: badDescriptor,
      path_filestat_get: badDescriptor,
      path_open: badDescriptor,
      path_remove_directory: badDescriptor,
      path_unlink_file: badDescriptor,
    },
  }
}

/** The processor time of threads and processes, to a millionth of a second. Linux only. */
import { readdir, readFile } from 'node:fs/promises'

/** Milliseconds of a core. */
export interface ThreadTimes {
  /** The thread that a process begins with. */
  main: number
  /** All other threads together. */
  rest: number
}

/** @throws {Error} on a system without `/proc/PID/task/TID/schedstat`. */
export async function threadTimes(pid: number): Promise<ThreadTimes> {
  const times: ThreadTimes = { main: 0, rest: 0 }
  const threads = await readdir(`/proc/${pid}/task`)
  const used = await Promise.all(
    // A thread may end in between.
    threads.map((thread) => nanoseconds(`/proc/${pid}/task/${thread}/schedstat`).catch(() => 0)),
  )
  for (const [index, time] of used.entries()) {
    if (threads[index] === String(pid)) times.main += time / 1e6
    else times.rest += time / 1e6
  }
  return times
}

/** All threads of a process together. */
export async function processTime(pid: number): Promise<number> {
  const { main, rest } = await threadTimes(pid)
  return main + rest
}

async function nanoseconds(file: string): Promise<number> {
  return Number((await readFile(file, 'utf8')).split(' ')[0])
}

/** The processor time of threads and processes, to a millionth of a second. Linux only. */
import { readdir, readFile } from 'node:fs/promises'

/** Milliseconds of a core. */
export interface ThreadTimes {
  /** The thread that a process begins with. */
  main: number
  /** Threads that compile and collect garbage while others work. */
  beside: number
  /** All other threads together. */
  rest: number
}

/** @throws {Error} on a system without `/proc/PID/task/TID/schedstat`. */
export async function threadTimes(pid: number): Promise<ThreadTimes> {
  const times: ThreadTimes = { main: 0, beside: 0, rest: 0 }
  const threads = await readdir(`/proc/${pid}/task`)
  await Promise.all(
    threads.map(async (thread) => {
      const folder = `/proc/${pid}/task/${thread}`
      // A thread may end in between.
      const ms = (await nanoseconds(`${folder}/schedstat`).catch(() => 0)) / 1e6
      const name = await readFile(`${folder}/comm`, 'utf8').catch(() => '')
      if (thread === String(pid)) times.main += ms
      else if (name.includes('V8Worker')) times.beside += ms
      else times.rest += ms
    }),
  )
  return times
}

/** All threads of a process together. */
export async function processTime(pid: number): Promise<number> {
  const { main, beside, rest } = await threadTimes(pid)
  return main + beside + rest
}

async function nanoseconds(file: string): Promise<number> {
  return Number((await readFile(file, 'utf8')).split(' ')[0])
}

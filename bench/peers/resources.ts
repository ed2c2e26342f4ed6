/** What a process and its children take of the machine. Linux only. */
import { readFile } from 'node:fs/promises'
import { descendants } from '../../test/support/processes.ts'
import { processTime } from '../simulate/processor-time.ts'
import { residentBytes } from './parse.ts'

export interface Used {
  /** Milliseconds of a core since the processes began. */
  cpuMs: number
  /** Resident memory in bytes. Pages that processes share are counted in each of them. */
  memory: number
}

/** @param pid 0 for a process that is not on this machine, which gives NaN. */
export async function used(pid: number): Promise<Used> {
  if (pid === 0) return { cpuMs: Number.NaN, memory: Number.NaN }
  const pids = [pid, ...(await descendants(pid)).map((child) => child.pid)]
  const each = await Promise.all(
    pids.map(async (one) => {
      // A process may end in between.
      const status = await readFile(`/proc/${one}/status`, 'utf8').catch(() => '')
      return { cpuMs: await processTime(one).catch(() => 0), memory: residentBytes(status) }
    }),
  )
  return each.reduce((all, one) => ({
    cpuMs: all.cpuMs + one.cpuMs,
    memory: all.memory + one.memory,
  }))
}

/** What the bridge's process takes of the machine. Linux only. */
import { readdir, readFile } from 'node:fs/promises'

export interface Use {
  /** Resident memory in MiB. */
  memoryMb: number
  /** Seconds of a core since the process began. */
  cpuSeconds: number
  /** Open files, sockets included. */
  files: number
}

/** In `/proc/PID/stat` a tick is a hundredth of a second, on all Linux systems that are in use. */
const TICKS = 100

/** @throws {Error} when the process has ended. */
export async function useOf(pid: number): Promise<Use> {
  const [status, stat, files] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
  ])
  // The name, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    memoryMb: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
    files: files.length,
  }
}

/** Ends a process that computes for too long. One that waits for a processor of a busy machine gets more time. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How many times the limit it may take if it computes less than half of the time. */
const MOST_TIMES = 10

/** `/proc/PID/stat` counts in hundredths of a second on every Linux of today (`getconf CLK_TCK`). */
const TICK_MS = 10

/**
 * Kills the process after `limitMs`, unless it has computed for less than half of that; then it gets the same time again.
 *
 * @param computedMs milliseconds of processor time of the process; `undefined` where they are not known, which is so outside Linux.
 */
export function limitComputing(
  child: ChildProcess,
  limitMs: number,
  computedMs: (pid: number) => number | undefined = processorTime,
): void {
  let periods = 0
  const timer = setInterval(() => {
    periods++
    const computed = child.pid === undefined ? undefined : computedMs(child.pid)
    if (computed === undefined || computed >= limitMs / 2 || periods >= MOST_TIMES) {
      clearInterval(timer)
      child.kill('SIGKILL')
    }
  }, limitMs)
  child.once('close', () => clearInterval(timer)).once('error', () => clearInterval(timer))
}

function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may have spaces.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return undefined
  }
}

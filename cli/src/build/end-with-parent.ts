/** A child process that ends when this process does: a module that never ends would otherwise compute for ever. */
import type { ChildProcess } from 'node:child_process'

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

export function endWithParent(child: ChildProcess): void {
  const end = () => child.kill('SIGKILL')
  const endBy = (signal: NodeJS.Signals) => {
    end()
    release()
    // Without another handler, the signal ends this process as it would have done.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  const release = () => {
    process.off('exit', end)
    for (const signal of SIGNALS) process.off(signal, endBy)
  }
  process.on('exit', end)
  for (const signal of SIGNALS) process.on(signal, endBy)
  child.on('close', release)
}

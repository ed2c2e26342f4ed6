/**
 * Ends workerd when it takes too much memory, so that the machine and the gateway on it stay up.
 *
 * workerd keeps what a client has sent of a message until it is complete, up to 32 MiB for each socket, and a Worker can
 * neither lower that limit nor close the connection of a client that does not close it.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/
 */
import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { Limits } from './settings.ts'

/** Much more than workerd needs without any socket. */
const BASE_BYTES = 1024 ** 3
/** A stream with one socket takes about 300 KB, and 1.4 MB with previews that its client does not read. */
const SOCKET_BYTES = 1.5 * 1024 ** 2
/** Of the machine or the container; the rest is for the gateway and others. */
const LARGEST_SHARE = 0.75
const LOOK_EVERY_MS = 500

/** The memory that so many sockets do not need, unless their clients send huge messages. */
export function memoryLimitFor({ maxTotalSockets }: Pick<Limits, 'maxTotalSockets'>): number {
  const all = process.constrainedMemory() || totalmem()
  return Math.min(BASE_BYTES + maxTotalSockets * SOCKET_BYTES, all * LARGEST_SHARE)
}

/**
 * Looks at the resident memory of a process. Only on Linux, where the kernel says it at no cost.
 *
 * @param onTooMuch is called once.
 * @returns ends the watch.
 */
export function watchMemory(pid: number, maxBytes: number, onTooMuch: () => void): () => void {
  if (process.platform !== 'linux') return () => {}
  let stopped = false
  const timer = setInterval(() => {
    void residentBytes(pid).then((bytes) => {
      if (stopped || bytes <= maxBytes) return
      stop()
      onTooMuch()
    })
  }, LOOK_EVERY_MS)
  const stop = () => {
    stopped = true
    clearInterval(timer)
  }
  // The bridge must not keep the process running.
  timer.unref()
  return stop
}

/** @returns 0 for a process that has ended. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

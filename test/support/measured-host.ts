import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from 'ftl-host'

/** What a host's process takes. Sizes in bytes. */
export interface Figures {
  rss: number
  /** The most it has ever been. */
  peakRss: number
  /** Of the main thread, after a collection. */
  heapUsed: number
  arrayBuffers: number
  /** What keeps the main thread's event loop busy, by kind. */
  resources: Record<string, number>
  /** Open files and sockets; 0 where the system does not say. */
  files: number
  threads: number
  /** Since the start. */
  lost: { workers: number; failed: number; repeated: number }
  /** Since this was last asked. */
  problems: string[]
}

export interface MeasuredHost {
  url: string
  figures: () => Promise<Figures>
  close: () => Promise<void>
}

/** A host in a process of its own: nothing of the test's is in its memory. */
export async function startMeasured({
  nativeGateway,
  ...options
}: Partial<HostOptions>): Promise<MeasuredHost> {
  const script = fileURLToPath(new URL('./host-process.ts', import.meta.url))
  // An argument has at most 128 KB.
  const folder = await mkdtemp(join(tmpdir(), 'ftl-measured-'))
  const source = join(folder, 'gateway.js')
  if (nativeGateway !== undefined) await writeFile(source, nativeGateway)
  const native = nativeGateway === undefined ? [] : [source]
  const child = fork(script, [JSON.stringify(options), ...native], {
    execArgv: ['--expose-gc'],
    // As the command starts its host.
    env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576', ...process.env },
  })
  const exited = once(child, 'exit')
  const answer = async <T>(): Promise<T> => {
    const gone = exited.then(() => Promise.reject(new Error('the host has ended; see above')))
    return (await Promise.race([once(child, 'message'), gone]))[0] as T
  }
  const { url } = await answer<{ url: string }>().finally(() => rm(folder, { recursive: true }))
  return {
    url,
    figures: async () => {
      child.send('figures')
      return answer<Figures>()
    },
    close: async () => {
      child.disconnect()
      await exited
    },
  }
}

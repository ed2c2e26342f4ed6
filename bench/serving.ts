/** The host under load: in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from 'ftl-host'
import { CACHE_DIR } from './application.ts'
import { GUEST_CALLS_HOOK } from '../test/support/guest-calls-hook.ts'
import type { HostCalls } from '../test/support/guest-calls.ts'

/** The gateway, tools and bare components in one application. */
export const MANIFEST = path('fixtures/spin.toml')

export interface Serving {
  url: string
  /** Of the process. */
  pid: number
  /** From the start of the process to a host that answers. */
  readyMs: number
  /** Resident memory, in bytes. */
  memory: () => Promise<number>
  /** Milliseconds of processor time it has taken, all threads together. */
  cpu: () => Promise<number>
  /** What guests have asked of the host since this was last called. Only with `counting`. */
  calls: () => Promise<HostCalls>
  close: () => Promise<void>
}

export interface ServingOptions {
  /** Threads that run guests. @default the host's own */
  workers?: number
  /** Counts what guests ask of the host, which slows everything down. @default false */
  counting?: boolean
  /** The gateway and `remote` run beside the components, as with `ftl up`. @default false */
  native?: boolean
  /** Another application, its variables and its store. @default `MANIFEST` */
  application?: Pick<HostOptions, 'manifest' | 'variables' | 'runtimeConfigFile'>
}

export async function serve({
  workers,
  counting = false,
  native = false,
  application = { manifest: MANIFEST },
}: ServingOptions = {}): Promise<Serving> {
  const options = { ...application, cacheDir: CACHE_DIR, workers }
  const child = fork(
    path('host-process.ts'),
    [JSON.stringify(options), ...(native ? ['native'] : [])],
    {
      execArgv: counting ? ['--import', GUEST_CALLS_HOOK] : [],
    },
  )
  const { url, readyMs } = await answer<{ url: string; readyMs: number }>(child)
  return {
    url,
    pid: child.pid ?? 0,
    readyMs,
    async memory() {
      child.send('memory')
      return (await answer<{ rss: number }>(child)).rss
    },
    async cpu() {
      child.send('cpu')
      const { cpu } = await answer<{ cpu: NodeJS.CpuUsage }>(child)
      return (cpu.user + cpu.system) / 1000
    },
    async calls() {
      child.send('calls')
      return (await answer<{ calls: HostCalls }>(child)).calls
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function answer<T>(child: ChildProcess): Promise<T> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('the host has ended; see above')
  })
  // Ended by the signal, when the answer was first.
  ended.catch(() => undefined)
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [T]
    return message
  } finally {
    waiting.abort()
  }
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

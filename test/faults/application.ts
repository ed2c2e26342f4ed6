/** The application of broken components, with all that it writes. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type HostOptions, startHost } from 'ftl-host'
import { EXTERNAL_URL } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { MAX_BLOCKING_MS } from './fault.ts'

export const FAULTS_MANIFEST = fileURLToPath(new URL('./app/spin.toml', import.meta.url))

export interface FaultyApplication {
  url: string
  /** What the host and its components wrote since `since`; undefined when it runs elsewhere. */
  logs: ((since?: number) => string) | undefined
  /** Lines written so far. */
  written(): number
  close(): Promise<void>
}

export async function startFaulty(options: Partial<HostOptions> = {}): Promise<FaultyApplication> {
  if (EXTERNAL_URL !== undefined) {
    return { url: EXTERNAL_URL, logs: undefined, written: () => 0, close: async () => {} }
  }
  const lines: string[] = []
  const host = await startHost({
    manifest: FAULTS_MANIFEST,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    // Guests that never end have nothing to come to an end of.
    drainMs: 100,
    maxBlockingMs: MAX_BLOCKING_MS,
    onLog: ({ component, line }) => lines.push(`${component}: ${line}`),
    onError: ({ component, message }) => lines.push(`${component}: ${message}`),
    ...options,
  })
  return {
    url: host.url,
    logs: (since = 0) => lines.slice(since).join('\n'),
    written: () => lines.length,
    close: () => host.close(),
  }
}

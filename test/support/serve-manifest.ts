/** Serves a manifest on the embedded host or, if `FTL_TEST_SPIN` names the program, on a real Spin. */
import { dirname, join } from 'node:path'
import { type HostOptions, startHost } from 'ftl-host'
import { startSpin, warmUp } from '../on-spin/spin.ts'
import { freePort } from './command.ts'
import { DRAIN_MS } from './drain.ts'
import { MANIFESTS } from './manifests.ts'

/** Spin has one store for all components. With callers, the gateway does not serve there without a seal. */
const SEALED = { request_state_key: 'k'.repeat(43) }

const SPIN = process.env['FTL_TEST_SPIN']

export interface ServedManifest {
  url: string
  /** What the components have printed, and on the embedded host its own messages. */
  printed: () => string
  close(): Promise<void>
}

export interface ServeOptions {
  manifest: string
  /** Where its stores are kept. */
  stateDir: string
  variables: Readonly<Record<string, string>>
  /** @default a free port */
  listen?: string
  /** More options of the embedded host; Spin has none of them. */
  host?: Pick<HostOptions, 'bodyIdleMs' | 'maxBlockingMs' | 'maxInstances' | 'maxWorkerHeap'>
}

export async function serveManifest(options: ServeOptions): Promise<ServedManifest> {
  return SPIN === undefined ? serveEmbedded(options) : serveOnSpin(SPIN, options)
}

async function serveEmbedded({
  manifest,
  stateDir,
  variables,
  listen = '127.0.0.1:0',
  host: more,
}: ServeOptions): Promise<ServedManifest> {
  const lines: string[] = []
  const host = await startHost({
    ...more,
    drainMs: DRAIN_MS,
    manifest,
    listen,
    stateDir,
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    onLog: ({ line }) => void lines.push(line),
    onError: ({ message }) => void lines.push(message),
    onWorkerLost: ({ reason }) => void lines.push(`a worker was lost: ${reason}`),
    variables,
  })
  return { url: host.url, printed: () => lines.join('\n'), close: () => host.close() }
}

async function serveOnSpin(
  program: string,
  { manifest, stateDir, variables, listen }: ServeOptions,
): Promise<ServedManifest> {
  const given = Object.entries({ ...SEALED, ...variables })
  const port = listen === undefined ? await freePort() : Number(new URL(`http://${listen}`).port)
  const spin = await startSpin({
    spin: program,
    manifest,
    // Spin 4.1 looks for the folders of --direct-mounts in the manifest's folder, and mounts those of its own.
    cwd: dirname(manifest),
    port,
    stateDir,
    follow: true,
    args: [
      // Tests change mounted files, which Spin otherwise copies at its start.
      '--direct-mounts',
      ...given.flatMap(([name, value]) => ['--variable', `${name}=${value}`]),
    ],
  })
  await warmUp(spin.url)
  return { url: spin.url, printed: spin.output, close: () => spin.close() }
}

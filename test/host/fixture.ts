import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorEntry, type HostOptions, type LogEntry, startHost } from 'ftl-host'

export const MANIFEST = fileURLToPath(new URL('../fixtures/host/spin.toml', import.meta.url))

export interface Fixture {
  url: string
  logs: LogEntry[]
  errors: ErrorEntry[]
  json(path: string, init?: RequestInit): Promise<Record<string, unknown>>
  text(path: string, init?: RequestInit): Promise<string>
  close(): Promise<void>
}

/** The fixture application on a free port, with nothing of the machine's environment in it. */
export async function startFixture(options: Partial<HostOptions> = {}): Promise<Fixture> {
  const logs: LogEntry[] = []
  const errors: ErrorEntry[] = []
  const { variables, ...rest } = options
  const host = await startHost({
    manifest: MANIFEST,
    listen: '127.0.0.1:0',
    env: {},
    stateDir: '',
    cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
    drainMs: 200,
    onLog: (entry) => logs.push(entry),
    onError: (entry) => errors.push(entry),
    variables: { token: 'secret', ...variables },
    ...rest,
  })
  return {
    url: host.url,
    logs,
    errors,
    json: async (path, init) =>
      (await (await fetch(host.url + path, init)).json()) as Record<string, unknown>,
    text: async (path, init) => (await fetch(host.url + path, init)).text(),
    close: () => host.close(),
  }
}

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'ftl-host-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

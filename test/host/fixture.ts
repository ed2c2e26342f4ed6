import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorEntry, type HostOptions, type LogEntry, startHost } from 'ftl-host'
import { MANIFESTS } from '../support/manifests.ts'

export const MANIFEST = MANIFESTS.host

/** Prepared modules, shared by everything that runs here. */
export const CACHE_DIR = fileURLToPath(new URL('../../.ftl/cache', import.meta.url))

export interface Fixture {
  url: string
  logs: LogEntry[]
  errors: ErrorEntry[]
  json(path: string, init?: RequestInit): Promise<Record<string, unknown>>
  text(path: string, init?: RequestInit): Promise<string>
  close(): Promise<void>
}

/** The fixture application on a free port, with nothing of the machine's environment in it. */
export function startFixture(options: Partial<HostOptions> = {}): Promise<Fixture> {
  const variables = { token: 'secret', ...options.variables }
  return startApplication({ manifest: MANIFEST, ...options, variables })
}

/** Guests that leave behind whatever they can, beside others whose answers must be right. */
export function startHostile(options: Partial<HostOptions> = {}): Promise<Fixture> {
  return startApplication({ manifest: MANIFESTS.hostile, ...options })
}

async function startApplication(
  options: Partial<HostOptions> & { manifest: string },
): Promise<Fixture> {
  const logs: LogEntry[] = []
  const errors: ErrorEntry[] = []
  const host = await startHost({
    listen: '127.0.0.1:0',
    env: {},
    stateDir: '',
    cacheDir: CACHE_DIR,
    drainMs: 200,
    onLog: (entry) => logs.push(entry),
    onError: (entry) => errors.push(entry),
    ...options,
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

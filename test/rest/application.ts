/** The application these tests use, and plain HTTP requests to it. */
import { dirname, join } from 'node:path'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { DRAIN_MS } from '../support/drain.ts'
import { MANIFESTS } from '../support/manifests.ts'

/** Starts it before the tests of a file; they are skipped when an external application is a different one. */
export function useApplication(): { readonly url: string } {
  let host: Host | undefined
  let usable = true
  beforeAll(async () => {
    if (EXTERNAL_URL !== undefined) {
      usable = await isOurs(EXTERNAL_URL)
      return
    }
    host = await startHost({
      drainMs: DRAIN_MS,
      manifest: MANIFESTS.rest,
      listen: '127.0.0.1:0',
      stateDir: '',
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
      env: {},
    })
  })
  beforeEach((context) => context.skip(!usable, 'this application has other tools'))
  afterAll(() => host?.close())
  return {
    get url() {
      const url = EXTERNAL_URL ?? host?.url
      if (url === undefined) throw new Error('the application is not started yet')
      return url
    },
  }
}

async function isOurs(url: string): Promise<boolean> {
  const { tools } = (await (await fetch(`${url}/tools`)).json()) as { tools: { name: string }[] }
  return ['calculator', 'slow_lines'].every((wanted) => tools.some(({ name }) => name === wanted))
}

export interface Seen {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** A GET, or a POST of JSON, read to the end. */
export async function ask(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Seen> {
  const response = await fetch(url, body === undefined ? { headers } : posting(body, headers))
  const text = await response.text()
  const { status } = response
  return { status, headers: response.headers, body: JSON.parse(text) as Record<string, unknown> }
}

export function posting(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

export const LINES = { accept: 'application/x-ndjson' }

/** One JSON document a line, each ending with a line break. */
export function linesOf(text: string): Record<string, unknown>[] {
  if (!text.endsWith('\n')) throw new Error(`cut off: ${text.slice(-80)}`)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

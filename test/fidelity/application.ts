import { request as rawRequest } from 'node:http'
import { startHost } from 'ftl-host'
import { EXTERNAL_URL } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { fileURLToPath } from 'node:url'

/** Where the application of these tests is: a host started for them, or one that runs already. */
export interface FidelityApplication {
  url: string
  json(path: string, init?: RequestInit): Promise<Record<string, unknown>>
  text(path: string, init?: RequestInit): Promise<string>
  /** The `spin-*` and other headers the guest was given. */
  headersOf(path: string, init?: RequestInit): Promise<Record<string, string>>
  close(): Promise<void>
}

/** Whether tests of the embedded host alone have to be left out. */
export const onSpin = EXTERNAL_URL !== undefined

export async function startFidelity(): Promise<FidelityApplication> {
  const host = onSpin
    ? undefined
    : await startHost({
        manifest: MANIFESTS.fidelity,
        listen: '127.0.0.1:0',
        stateDir: '',
        cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
        env: { SPIN_VARIABLE_REQUIRED: 'given' },
        environment: { ADDED: 'by-flag' },
        keyValues: { seeded: 'yes' },
        workers: 1,
      })
  const url = host?.url ?? EXTERNAL_URL ?? ''
  const text = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).text()
  const json = async (path: string, init?: RequestInit) =>
    JSON.parse(await text(path, init)) as Record<string, unknown>
  return {
    url,
    text,
    json,
    headersOf: async (path, init) =>
      Object.fromEntries((await json(path, init))['headers'] as [string, string][]),
    close: async () => host?.close(),
  }
}

export interface RawAnswer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
}

/** A request as written: fetch changes hosts, headers and paths. */
export function send(
  url: string,
  { path = '/', method = 'GET', headers = {}, body = '' } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const request = rawRequest({ hostname, port, path, method, headers }, (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (received += chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

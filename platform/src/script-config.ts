/** What a component takes from its manifest, where no Spin reads it. */
import { parseAllowed } from './allowed-hosts.ts'
import { KeyValueError, type Files, type KeyValue, type Platform } from './platform.ts'

export interface ScriptConfig {
  /** Variables of the application. */
  variables: Readonly<Record<string, { default?: string; required: boolean }>>
  /** Variables of the component: texts with `{{ name }}` for variables of the application. */
  values: Readonly<Record<string, string>>
  /** `allowed_outbound_hosts`, as texts of the same kind. */
  hosts: readonly string[]
}

/** What differs between the places where it runs. */
export interface ScriptHost {
  /** The value of a variable of the application. */
  variable(name: string): string | undefined
  /** What the host tells every component. */
  facts?: Readonly<Record<string, string>>
  openStore(label: string): KeyValue | undefined
  files: Files
  fetch: typeof fetch
}

/** A required variable has no value. */
export class MissingVariable extends Error {
  override readonly name = 'MissingVariable'
  readonly variable: string
  constructor(variable: string) {
    super(`The variable ${variable} has no value.`)
    this.variable = variable
  }
}

/** Redirects that a request may follow. */
const MOST_REDIRECTS = 20

/**
 * @returns the platform of a request.
 * @throws {MissingVariable}
 */
export function createScriptPlatform(
  config: ScriptConfig,
  host: ScriptHost,
): (waitUntil: (work: Promise<unknown>) => void) => Platform {
  const application = new Map(
    Object.entries(config.variables).map(([name, { default: value, required }]) => {
      const given = host.variable(name) ?? value
      if (given === undefined && required) throw new MissingVariable(name)
      return [name, given ?? '']
    }),
  )
  const resolve = (template: string) =>
    template.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => application.get(name) ?? '')
  const isAllowed = parseAllowed(config.hosts.map(resolve))
  const guarded = guardedFetch(host.fetch, isAllowed)
  return (waitUntil) => ({
    async openKeyValue(label) {
      const store = host.openStore(label)
      if (!store) throw new KeyValueError('no-such-store')
      return store
    },
    variables: {
      get(name) {
        const template = Object.hasOwn(config.values, name) ? config.values[name] : undefined
        if (template !== undefined) return resolve(template)
        return host.facts && Object.hasOwn(host.facts, name) ? host.facts[name] : undefined
      },
    },
    files: host.files,
    now: () => Date.now(),
    randomUUID: () => crypto.randomUUID(),
    fetch: guarded,
    waitUntil,
  })
}

/** Checks the address of a request, and of each redirect, against the list. */
export function guardedFetch(
  send: typeof fetch,
  isAllowed: (url: URL) => boolean,
): Platform['fetch'] {
  return async (input, init) => {
    const request = new Request(input, init)
    if (request.redirect !== 'follow') {
      check(new URL(request.url), isAllowed)
      return send(request)
    }
    // The body of a request can be sent once, and a redirect may need it again.
    let next: Request = request
    for (let count = 0; count <= MOST_REDIRECTS; count++) {
      check(new URL(next.url), isAllowed)
      const again = next.body && count === 0 ? next.clone() : next
      const response = await send(new Request(next, { redirect: 'manual' }))
      const location = response.headers.get('location')
      if (!location || ![301, 302, 303, 307, 308].includes(response.status)) return response
      void response.body?.cancel().catch(() => undefined)
      next = redirected(again, new URL(location, next.url), response.status)
    }
    throw new TypeError('too many redirects')
  }
}

function check(url: URL, isAllowed: (url: URL) => boolean): void {
  if (isAllowed(url)) return
  // The word is known to the SDK, whose message then names the key of spin.toml.
  throw new TypeError(`HttpRequestDenied: ${url.origin} is not in allowed_outbound_hosts`)
}

function redirected(request: Request, to: URL, status: number): Request {
  const { method } = request
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  const headers = new Headers(request.headers)
  if (to.origin !== new URL(request.url).origin) {
    for (const name of ['authorization', 'cookie', 'proxy-authorization']) headers.delete(name)
  }
  const { signal } = request
  if (becomesGet || !request.body) {
    for (const name of ['content-type', 'content-length']) headers.delete(name)
    return new Request(to, { method: becomesGet ? 'GET' : method, headers, signal })
  }
  return new Request(to, {
    method,
    headers,
    signal,
    body: request.body,
    duplex: 'half',
  } as RequestInit)
}

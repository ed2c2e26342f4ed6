/**
 * A shared cache in front of a gateway, by RFC 9111. It keeps what it may for a minute also if a response has no lifetime,
 * as caches do by their own judgement.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CachingProxyOptions {
  target: string
  /** Rules that it does not follow: each of the others must be enough. @default none */
  ignores?: readonly ('authorization' | 'cache-control' | 'vary')[]
}

export interface CachingProxy {
  url: string
  /** Responses from its store. */
  hits: number
  close(): Promise<void>
}

interface Stored {
  status: number
  headers: Headers
  body: Buffer
  /** Values of the request headers by which it varies. */
  key: [name: string, value: string][]
  until: number
}

/** Cached without a lifetime: RFC 9110, section 15.1. */
const HEURISTIC = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
const LIFETIME_MS = 60_000

export async function startCachingProxy({
  target,
  ignores = [],
}: CachingProxyOptions): Promise<CachingProxy> {
  const stored = new Map<string, Stored[]>()
  const proxy = { url: '', hits: 0, close: async () => {} }

  const mayStore = (sent: IncomingHttpHeaders, status: number, headers: Headers): boolean => {
    const directives = (headers.get('cache-control') ?? '').toLowerCase()
    const says = (word: string) => RegExp(`(^|[ ,])${word}([ ,=]|$)`).test(directives)
    if (!ignores.includes('cache-control') && (says('no-store') || says('private'))) return false
    if (!ignores.includes('vary') && headers.get('vary') === '*') return false
    if (!ignores.includes('authorization') && sent.authorization !== undefined) {
      return says('public') || says('s-maxage') || says('must-revalidate')
    }
    return HEURISTIC.has(status)
  }

  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = request
      const found = stored
        .get(url)
        ?.find(
          ({ key, until }) =>
            until > Date.now() && key.every(([name, value]) => (headers[name] ?? '') === value),
        )
      if (method === 'GET' && found) {
        proxy.hits++
        response.writeHead(found.status, Object.fromEntries(found.headers)).end(found.body)
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const sent = new Headers(
        Object.entries(headers).flatMap(([name, value]) =>
          typeof value === 'string' && !['connection', 'host', 'content-length'].includes(name)
            ? [[name, value] satisfies [string, string]]
            : [],
        ),
      )
      const answer = await fetch(target + url, {
        method,
        headers: sent,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const body = Buffer.from(await answer.arrayBuffer())
      if (method === 'GET' && mayStore(headers, answer.status, answer.headers)) {
        const names = ignores.includes('vary')
          ? []
          : (answer.headers.get('vary') ?? '').toLowerCase().split(/, */).filter(Boolean)
        const key = names.map((name): [string, string] => [name, String(headers[name] ?? '')])
        const entry = { status: answer.status, headers: answer.headers, body, key }
        const others = stored.get(url) ?? []
        stored.set(url, [...others, { ...entry, until: Date.now() + LIFETIME_MS }])
      }
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return proxy
}

/** An npm registry for tests: the endpoints that a client reads, and ways to misbehave. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface NpmServer {
  url: string
  /** Headers of each request, in order, under the path. */
  seen: { path: string; authorization: string | undefined }[]
  put(name: string, version: string, tarball: Uint8Array, change?: Partial<Dist>): void
  /** Answers a path in its own way. */
  answer(path: string, how: (request: IncomingMessage, response: ServerResponse) => void): void
  close(): Promise<void>
}

interface Dist {
  integrity: string
  tarball: string
  signatures: { keyid: string; sig: string }[]
  /** @default none */
  attestations?: object
}

/** @param token that each request needs. @default none */
export async function startNpm(token?: string): Promise<NpmServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyid = 'SHA256:test'
  const packages = new Map<string, Map<string, Dist>>()
  const files = new Map<string, Uint8Array>()
  const own = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const seen: NpmServer['seen'] = []
  /** As `npm publish` sends it. */
  const publish = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { name, versions, _attachments } = JSON.parse(Buffer.concat(parts).toString()) as {
      name: string
      versions: Record<string, unknown>
      _attachments: Record<string, { data: string }>
    }
    const [version = ''] = Object.keys(versions)
    const [attached] = Object.values(_attachments)
    put(name, version, Buffer.from(attached?.data ?? '', 'base64'))
    response.writeHead(201).end('{"ok":true}')
  }
  const put: NpmServer['put'] = (name, version, tarball, change = {}) => {
    const path = `/${name}/-/${version}.tgz`
    files.set(path, tarball)
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const sig = sign('sha256', Buffer.from(`${name}@${version}:${integrity}`), privateKey)
    const dist = {
      integrity,
      tarball: url + path,
      signatures: [{ keyid, sig: sig.toString('base64') }],
    }
    const of = packages.get(name) ?? new Map<string, Dist>()
    packages.set(name, of.set(version, { ...dist, ...change }))
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/')
    const { authorization } = request.headers
    seen.push({ path, authorization })
    const special = own.get(path)
    if (special) return special(request, response)
    if (token !== undefined && authorization !== `Bearer ${token}`) {
      response.writeHead(401).end('{}')
      return
    }
    if (request.method === 'PUT') return void publish(request, response)
    const file = files.get(path)
    if (file) return void response.end(file)
    if (path === '/-/npm/v1/keys') {
      const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
      return void response.end(
        JSON.stringify({ keys: [{ keyid, key, keytype: 'ecdsa-sha2-nistp256' }] }),
      )
    }
    const versions = packages.get(path.slice(1))
    if (!versions) return void response.writeHead(404).end('{}')
    const entries = [...versions].map(([version, dist]) => [version, { version, dist }] as const)
    const latest = entries.at(-1)?.[0]
    response.end(JSON.stringify({ 'dist-tags': { latest }, versions: Object.fromEntries(entries) }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    seen,
    put,
    answer: (path, how) => void own.set(path, how),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

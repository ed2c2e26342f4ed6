/** An OCI registry for tests: manifests, blobs, tags, referrers and tokens, and ways to misbehave. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { receivePush } from './oci-push-server.ts'

export interface OciServer {
  host: string
  seen: { method: string; path: string; authorization: string | undefined }[]
  blobs: Map<string, Uint8Array>
  tags: Map<string, string>
  /** Stores an image manifest with these layers, and returns its digest. */
  put(tag: string, layers: Layer[], more?: object): string
  answer(path: string, how: (request: IncomingMessage, response: ServerResponse) => void): void
  /** Answers a request for this path after the promise. */
  hold(path: string, until: () => Promise<void>): void
  close(): Promise<void>
}

interface Layer {
  mediaType: string
  bytes: Uint8Array
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'

export const digestOf = (bytes: Uint8Array | string) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export interface OciServerOptions {
  /** Whether it keeps lists of referrers itself. @default true */
  hasReferrers?: boolean
  /** Actions that a token may have. @default pull,push */
  granted?: string
}

/** @param login base64 of `user:password` that a token costs. @default no token is needed */
export async function startOci(
  login?: string,
  realm?: string,
  { hasReferrers = true, granted = 'pull,push' }: OciServerOptions = {},
): Promise<OciServer> {
  const blobs = new Map<string, Uint8Array>()
  const tags = new Map<string, string>()
  const referrers = new Map<string, object[]>()
  const own = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const seen: OciServer['seen'] = []
  const held = new Map<string, () => Promise<void>>()
  const server = createServer((request, response) => {
    const until = held.get((request.url ?? '').replace(/\?.*/, ''))
    if (!until || request.method !== 'GET') return answer(request, response)
    void until().then(() => answer(request, response))
  })
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    const { authorization } = request.headers
    seen.push({ method: request.method ?? '', path, authorization })
    const special = own.get(path)
    if (special) return special(request, response)
    if (path === '/token') {
      const isRight = authorization === `Basic ${login}`
      const scope = new URL(request.url ?? '', 'http://x').searchParams.get('scope') ?? ''
      const actions = scope.split(':').at(-1)?.split(',') ?? []
      const token = actions.every((each) => granted.split(',').includes(each)) ? 'push' : 'pull'
      return void response
        .writeHead(isRight ? 200 : 401)
        .end(JSON.stringify({ token: actions.includes('push') ? `${token}-only` : 'short-lived' }))
    }
    const isPush = request.method === 'PUT' || request.method === 'POST'
    const tokens = isPush ? ['push-only'] : ['short-lived', 'push-only', 'pull-only']
    if (login !== undefined && !tokens.includes(authorization?.replace(/^Bearer /, '') ?? '')) {
      const at = realm ?? `http://${request.headers.host}/token`
      const challenge = `Bearer realm="${at}",service="test"`
      return void response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    if (isPush) return receivePush(request, response, { blobs, tags, referrers, hasReferrers })
    const [, kind, reference = ''] = /\/(manifests|blobs|referrers)\/([^/]+)$/.exec(path) ?? []
    if (kind === 'referrers' && !hasReferrers) return void response.writeHead(404).end()
    if (kind === 'referrers') {
      return void response.end(JSON.stringify({ manifests: referrers.get(reference) ?? [] }))
    }
    const bytes = blobs.get(kind === 'manifests' ? (tags.get(reference) ?? reference) : reference)
    if (!bytes) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': MANIFEST, 'content-length': bytes.length })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    blobs,
    tags,
    put(tag, layers, more = {}) {
      const described = layers.map(({ mediaType, bytes }) => {
        blobs.set(digestOf(bytes), bytes)
        return { mediaType, digest: digestOf(bytes), size: bytes.length }
      })
      const manifest = { schemaVersion: 2, mediaType: MANIFEST, layers: described, ...more }
      const bytes = Buffer.from(JSON.stringify(manifest))
      const digest = digestOf(bytes)
      blobs.set(digest, bytes)
      tags.set(tag, digest)
      const { subject, artifactType } = more as {
        subject?: { digest: string }
        artifactType?: string
      }
      if (subject) {
        const entry = { mediaType: MANIFEST, digest, size: bytes.length, artifactType }
        referrers.set(subject.digest, [...(referrers.get(subject.digest) ?? []), entry])
      }
      return digest
    },
    answer: (path, how) => void own.set(path, how),
    hold: (path, until) => void held.set(path, until),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

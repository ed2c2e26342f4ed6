/** What a registry does with a push. @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#push */
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

interface Stored {
  blobs: Map<string, Uint8Array>
  tags: Map<string, string>
  referrers: Map<string, object[]>
  hasReferrers: boolean
}

interface PushedManifest {
  mediaType: string
  artifactType?: string
  config?: { digest: string }
  layers?: { digest: string }[]
  subject?: { digest: string }
}

const sessions = new Set<string>()

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export function receivePush(
  request: IncomingMessage,
  response: ServerResponse,
  stored: Stored,
): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const url = new URL(request.url ?? '', 'http://registry.test')
    const body = Buffer.concat(parts)
    if (request.method === 'POST') return begin(url, response)
    if (url.pathname.includes('/blobs/uploads/')) return finish(url, body, response, stored)
    manifest(url, body, response, stored)
  })
}

/** The address has a state, as that of the reference implementation: a client must keep it. */
function begin({ pathname }: URL, response: ServerResponse): void {
  const session = randomUUID()
  sessions.add(session)
  const location = `${pathname}${session}?_state=s-${session}`
  response.writeHead(202, { location }).end()
}

function finish(url: URL, body: Buffer, response: ServerResponse, { blobs }: Stored): void {
  const session = url.pathname.split('/').at(-1) ?? ''
  const hasState = url.searchParams.get('_state') === `s-${session}`
  if (!hasState || !sessions.delete(session)) return refuse(response, 404, 'BLOB_UPLOAD_UNKNOWN')
  const digest = url.searchParams.get('digest') ?? ''
  if (digest !== digestOf(body)) return refuse(response, 400, 'DIGEST_INVALID')
  blobs.set(digest, body)
  response.writeHead(201, { 'docker-content-digest': digest }).end()
}

function manifest(
  url: URL,
  body: Buffer,
  response: ServerResponse,
  { blobs, tags, referrers, hasReferrers }: Stored,
): void {
  const reference = url.pathname.split('/').at(-1) ?? ''
  const digest = digestOf(body)
  const { config, layers, subject, mediaType, artifactType } = JSON.parse(
    body.toString(),
  ) as PushedManifest
  const needed = [config, ...(layers ?? [])].flatMap((each) => (each ? [each.digest] : []))
  if (!needed.every((each) => blobs.has(each)))
    return refuse(response, 404, 'MANIFEST_BLOB_UNKNOWN')
  if (reference.startsWith('sha256:') && reference !== digest)
    return refuse(response, 400, 'DIGEST_INVALID')
  blobs.set(digest, body)
  if (!reference.startsWith('sha256:')) tags.set(reference, digest)
  if (subject && hasReferrers) {
    const entry = { mediaType, digest, size: body.length, artifactType }
    referrers.set(subject.digest, [...(referrers.get(subject.digest) ?? []), entry])
    response.setHeader('oci-subject', subject.digest)
  }
  response.writeHead(201, { 'docker-content-digest': digest }).end()
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status)
    .end(JSON.stringify({ errors: [{ code, message: 'as the test wants' }] }))
}

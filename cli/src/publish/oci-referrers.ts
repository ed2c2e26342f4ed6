/**
 * Lists of referrers in registries that keep none themselves: an index under a tag made of the subject's digest.
 *
 * A registry replaces the index as a whole and compares nothing before it does: of two programs that add an entry at once,
 * one loses its own. So the index is read again until it has kept the entry for a while, longer than another program is
 * likely to need between its reading and its writing.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { jsonOf, type OciClient } from '../registry/oci-client.ts'
import { INDEX, MANIFEST } from '../registry/oci-manifest-and-blob.ts'
import type { Reply } from '../registry/registry-request.ts'
import type { Artifact } from './oci-artifact.ts'

const MOST_INDEX = 1024 * 1024

/** Milliseconds between two looks at the index. */
const PAUSE_MS = 400

/** Looks in a row that must find the entry, and writes after which the others are taken to be too many. */
const LOOKS = 3
const MOST_WRITES = 20

export interface Listing {
  client: OciClient
  artifact: Pick<Artifact, 'manifest' | 'digest'>
  /** Digest of what it refers to. */
  subject: string
  artifactType: string
  failure: (reply: Reply) => CommandFailure
  /** @param ms about how long. @default a timer with some chance, so that programs in step fall out of it */
  pause?: (ms: number) => Promise<void>
}

const pauseFor = (ms: number) =>
  new Promise<void>((done) => setTimeout(done, ms * (0.5 + Math.random())))

/** Keeps the entries of others. @throws {CommandFailure} also if others have removed the entry each time. */
export async function listReferrer(listing: Listing): Promise<void> {
  const { artifact, pause = pauseFor } = listing
  let kept = 0
  for (let writes = 0; kept < LOOKS; kept++) {
    const listed = await readIndex(listing)
    if (!listed.some((each) => isObject(each) && each['digest'] === artifact.digest)) {
      if (writes++ === MOST_WRITES) throw lost(listing)
      await writeIndex(listing, listed)
      kept = -1
    }
    if (writes === 0) return
    await pause(PAUSE_MS)
  }
}

const lost = ({ client, artifact }: Listing) =>
  new CommandFailure(
    `other programs have replaced the list of signatures at ${client.host} each time: the signature ${artifact.digest} is ` +
      'stored and not listed. Publish it again when they have ended.',
  )

const pathOf = ({ subject }: Listing) => `manifests/${subject.replace(':', '-')}`

async function readIndex(listing: Listing): Promise<unknown[]> {
  const options = { headers: { accept: INDEX }, limit: MOST_INDEX }
  const reply = await listing.client.send(pathOf(listing), options)
  if (reply.status !== 200 && reply.status !== 404) throw listing.failure(reply)
  const index = reply.status === 200 ? jsonOf(reply.body) : undefined
  const listed: unknown[] =
    isObject(index) && Array.isArray(index['manifests']) ? index['manifests'] : []
  return listed
}

async function writeIndex(listing: Listing, listed: readonly unknown[]): Promise<void> {
  const { client, artifact, artifactType, failure } = listing
  const { digest, manifest } = artifact
  const entry = { mediaType: MANIFEST, digest, size: manifest.length, artifactType }
  const manifests = [...listed.filter(isObject), entry]
  const stored = await client.send(pathOf(listing), {
    method: 'PUT',
    headers: { 'content-type': INDEX },
    body: Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests })),
    limit: MOST_INDEX,
  })
  if (stored.status !== 201) throw failure(stored)
}

/**
 * Lists of referrers in registries that keep none themselves: an index under a tag made of the subject's digest.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#referrers-tag-schema
 */
import { isObject } from 'ftl-contract'
import type { CommandFailure } from '../terminal/failure.ts'
import { jsonOf, type OciClient } from '../registry/oci-client.ts'
import { INDEX, MANIFEST } from '../registry/oci.ts'
import type { Reply } from '../registry/reply.ts'
import type { Artifact } from './oci-artifact.ts'

const MOST_INDEX = 1024 * 1024

/** Keeps the entries of others. @throws what `failure` makes. */
export async function listReferrer(
  client: OciClient,
  { manifest, digest }: Pick<Artifact, 'manifest' | 'digest'>,
  subject: string,
  artifactType: string,
  failure: (reply: Reply) => CommandFailure,
): Promise<void> {
  const path = `manifests/${subject.replace(':', '-')}`
  const before = await client.send(path, { headers: { accept: INDEX }, limit: MOST_INDEX })
  if (before.status !== 200 && before.status !== 404) throw failure(before)
  const index = before.status === 200 ? jsonOf(before.body) : undefined
  const listed = isObject(index) && Array.isArray(index['manifests']) ? index['manifests'] : []
  const others = (listed as unknown[]).filter((each) => isObject(each) && each['digest'] !== digest)
  const entry = { mediaType: MANIFEST, digest, size: manifest.length, artifactType }
  const body = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [...others, entry] }),
  )
  const stored = await client.send(path, {
    method: 'PUT',
    headers: { 'content-type': INDEX },
    body,
    limit: MOST_INDEX,
  })
  if (stored.status !== 201) throw failure(stored)
}

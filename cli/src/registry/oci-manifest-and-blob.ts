/** Manifests and blobs of an OCI registry, each compared with the digest it is asked by. */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { sha256Of } from './component-package.ts'
import { jsonOf, type OciClient } from './oci-client.ts'

export const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
export const INDEX = 'application/vnd.oci.image.index.v1+json'

export const MOST_MANIFEST = 1024 * 1024

export const DIGEST = /^sha256:[0-9a-f]{64}$/

/** What a registry has listed, and does not have or has in a form that cannot be one of ftl: too large, or not JSON. */
export class NotReadable extends CommandFailure {}

export async function readManifest(client: OciClient, reference: string, accept = MANIFEST) {
  const { status, body, headers } = await client.send(`manifests/${reference}`, {
    headers: { accept },
    limit: MOST_MANIFEST,
  })
  const where = `oci://${client.host}/${client.repository}`
  const at = `${where}${DIGEST.test(reference) ? '@' : ':'}${reference}`
  if (status === 404) throw new NotReadable(`there is no ${at}: the registry answered 404`)
  if (status !== 200)
    throw new CommandFailure(`${at} cannot be fetched: the registry answered ${status}`)
  const digest = sha256Of(body)
  const expected = DIGEST.test(reference) ? reference : (headers['docker-content-digest'] ?? digest)
  if (digest !== expected)
    throw new CommandFailure(
      `the manifest of ${where} has another digest than the registry says: it was changed`,
    )
  const manifest = jsonOf(body)
  if (!isObject(manifest)) throw new NotReadable(`${where} has a manifest that is not JSON`)
  return { manifest, digest, body }
}

export async function readBlob(
  client: OciClient,
  descriptor: Record<string, unknown>,
  limit: number,
): Promise<Buffer> {
  const { digest, size } = descriptor
  if (
    typeof digest !== 'string' ||
    !DIGEST.test(digest) ||
    typeof size !== 'number' ||
    size > limit
  ) {
    throw new NotReadable(
      `a layer of the artifact must have a sha256 digest and at most ${limit} bytes`,
    )
  }
  const { status, body } = await client.send(`blobs/${digest}`, { limit: size })
  if (status === 404) throw new NotReadable(`the registry does not have the layer ${digest}`)
  if (status !== 200)
    throw new CommandFailure(
      `a layer of the artifact cannot be fetched: the registry answered ${status}`,
    )
  if (sha256Of(body) === digest) return body
  throw new CommandFailure(
    'a layer of the artifact has another digest than its manifest says: it was changed',
  )
}

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject).slice(0, 100) : []
}

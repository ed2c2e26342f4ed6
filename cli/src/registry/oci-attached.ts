/** What refers to an artifact in an OCI registry: signatures of publishers, and Sigstore bundles. */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { jsonOf, type OciClient } from './oci-client.ts'
import { DIGEST, Gone, INDEX, listOf, readBlob, readManifest } from './oci-content.ts'
import type { Attestation } from './sigstore/verify-bundle.ts'

export const SIGNATURE_TYPE = 'application/vnd.ftl.signature.v1+json'

const MOST_LIST = 1024 * 1024
const MOST_SIGNATURE = 64 * 1024
const MOST_BUNDLE = 1024 * 1024

/** Signatures and bundles of one artifact that are read. */
const MOST_SIGNATURES = 16
const MOST_BUNDLES = 16

/** As `cosign sign` attaches them. */
const BUNDLE_TYPE = /^application\/vnd\.dev\.sigstore\.bundle\.v\d\.\d+\+json$/

type Referrer = Record<string, unknown>

export interface Attached<T> {
  found: T[]
  /** Listed, and not in the registry: the garbage collection of some registries removes what has no tag. */
  gone: number
}

/** The list of referrers or, in registries without it, the index under the tag that the specification names. */
export async function readReferrers(client: OciClient, digest: string): Promise<Referrer[]> {
  const options = { headers: { accept: INDEX }, limit: MOST_LIST }
  let reply = await client.send(`referrers/${digest}`, options)
  if (reply.status === 404)
    reply = await client.send(`manifests/${digest.replace(':', '-')}`, options)
  const index = reply.status === 200 ? jsonOf(reply.body) : undefined
  const listed = isObject(index) ? listOf(index['manifests']) : []
  // Some registries list an artifact again each time it is pushed.
  return [...new Map(listed.map((each) => [each['digest'], each])).values()]
}

/** Those of all publishers: a registry lists them in any order. */
export async function readSignatures(
  client: OciClient,
  referrers: readonly Referrer[],
): Promise<Attached<unknown>> {
  const listed = referrers.filter((each) => each['artifactType'] === SIGNATURE_TYPE)
  if (listed.length > MOST_SIGNATURES)
    throw new CommandFailure(`the artifact has more than ${MOST_SIGNATURES} signatures`)
  return readAll(client, listed, MOST_SIGNATURE)
}

export async function readBundles(
  client: OciClient,
  referrers: readonly Referrer[],
  digest: string,
  artifact: Buffer,
): Promise<Attached<Attestation>> {
  const listed = referrers.filter((each) => BUNDLE_TYPE.test(String(each['artifactType'])))
  if (listed.length > MOST_BUNDLES)
    throw new CommandFailure(`the artifact has more than ${MOST_BUNDLES} Sigstore bundles`)
  const subject = { algorithm: 'sha256' as const, digest: digest.slice('sha256:'.length) }
  const { found, gone } = await readAll(client, listed, MOST_BUNDLE)
  return { found: found.map((bundle) => ({ bundle, subject, artifact })), gone }
}

async function readAll(
  client: OciClient,
  listed: readonly Referrer[],
  limit: number,
): Promise<Attached<unknown>> {
  const read = await Promise.all(
    listed.map((each) =>
      readAttached(client, each, limit).then(
        (value) => [value],
        (error: unknown) => {
          if (error instanceof Gone) return []
          throw error
        },
      ),
    ),
  )
  return { found: read.flat(), gone: read.filter((each) => each.length === 0).length }
}

/** The only layer of an artifact that refers to another one. */
async function readAttached(
  client: OciClient,
  { digest }: Referrer,
  limit: number,
): Promise<unknown> {
  if (typeof digest !== 'string' || !DIGEST.test(digest)) return undefined
  const { manifest } = await readManifest(client, digest)
  const [layer] = listOf(manifest['layers'])
  return layer && jsonOf(await readBlob(client, layer, limit))
}

/** What refers to an artifact in an OCI registry: signatures of publishers, and Sigstore bundles. */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { jsonOf, type OciClient } from './oci-client.ts'
import {
  DIGEST,
  INDEX,
  listOf,
  MOST_MANIFEST,
  NotReadable,
  readBlob,
  readManifest,
} from './oci-manifest-and-blob.ts'
import type { Reply } from './registry-request.ts'
import type { Attestation } from './sigstore/verify-bundle.ts'

export const SIGNATURE_TYPE = 'application/vnd.ftl.signature.v1+json'

/** Bytes of a page of the list, and pages that are read. */
const MOST_LIST = 1024 * 1024
const MOST_PAGES = 16

const MOST_SIGNATURE = 64 * 1024
const MOST_BUNDLE = 1024 * 1024

/** Signatures and bundles of one artifact that are read. */
const MOST_SIGNATURES = 16
const MOST_BUNDLES = 16

/** As `cosign sign` attaches them. */
const BUNDLE_TYPE = /^application\/vnd\.dev\.sigstore\.bundle\.v\d\.\d+\+json$/

const isBundle = (type: unknown) => typeof type === 'string' && BUNDLE_TYPE.test(type)

type Referrer = Record<string, unknown>

export interface Attached<T> {
  found: T[]
  /**
   * Listed, and not readable. The garbage collection of some registries removes what has no tag, and a bundle may hold a
   * list of all parts of a program.
   */
  unread: number
}

/** The list of referrers or, in registries without it, the index under the tag that the specification names. */
export async function readReferrers(client: OciClient, digest: string): Promise<Referrer[]> {
  const pages = await readPages(client, `referrers/${digest}`)
  const tag = `manifests/${digest.replace(':', '-')}`
  const listed = pages ?? (await readPages(client, tag)) ?? []
  // Some registries list an artifact again each time it is pushed.
  return [...new Map(listed.map((each) => [each['digest'], each])).values()]
}

/**
 * The list may have pages: scanners attach reports of each night, and a signature may come after all of them.
 *
 * @returns `undefined` if the registry has no such list.
 * @throws {CommandFailure} also if it cannot answer now: a signed artifact must not look like one without signatures.
 */
async function readPages(client: OciClient, first: string): Promise<Referrer[] | undefined> {
  const options = { headers: { accept: INDEX }, limit: MOST_LIST }
  const found: Referrer[] = []
  let path: string | undefined = first
  for (let pages = 0; path !== undefined; pages++) {
    if (pages === MOST_PAGES)
      throw new CommandFailure(
        `${client.host} lists more than ${MOST_PAGES} pages of signatures and other artifacts that refer to the component`,
      )
    const reply: Reply = await client.send(path, options)
    const { status, headers, body } = reply
    const isBusy = status === 429 || (status >= 500 && status !== 501)
    if (isBusy || (status !== 200 && pages > 0))
      throw new CommandFailure(
        `the list of signatures cannot be fetched: ${client.host} answered ${status}`,
      )
    if (status !== 200) return undefined
    const index = jsonOf(body)
    const manifests: unknown[] =
      isObject(index) && Array.isArray(index['manifests']) ? index['manifests'] : []
    found.push(...manifests.filter(isObject))
    path = nextPage(headers['link'], reply.url)
  }
  return found
}

/** @see https://www.rfc-editor.org/rfc/rfc8288 */
function nextPage(link: unknown, from: string): string | undefined {
  const target = /<([^<>]*)>\s*;\s*rel="?next\b/i.exec(typeof link === 'string' ? link : '')?.[1]
  return target !== undefined && URL.canParse(target, from) ? new URL(target, from).href : undefined
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
  const listed = referrers.filter((each) => isBundle(each['artifactType']))
  if (listed.length > MOST_BUNDLES)
    throw new CommandFailure(`the artifact has more than ${MOST_BUNDLES} Sigstore bundles`)
  const subject = { algorithm: 'sha256' as const, digest: digest.slice('sha256:'.length) }
  const { found, unread } = await readAll(client, listed, MOST_BUNDLE)
  return { found: found.map((bundle) => ({ bundle, subject, artifact })), unread }
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
          if (error instanceof NotReadable) return []
          throw error
        },
      ),
    ),
  )
  return { found: read.flat(), unread: read.filter((each) => each.length === 0).length }
}

/** The only layer of an artifact that refers to another one. @throws {NotReadable} */
async function readAttached(
  client: OciClient,
  { digest, size }: Referrer,
  limit: number,
): Promise<unknown> {
  const isLong = typeof size === 'number' && size > MOST_MANIFEST
  if (typeof digest !== 'string' || !DIGEST.test(digest) || isLong)
    throw new NotReadable(
      'what refers to the artifact must have a sha256 digest and a short manifest',
    )
  const { manifest } = await readManifest(client, digest)
  const [layer] = listOf(manifest['layers'])
  const value = layer && jsonOf(await readBlob(client, layer, limit))
  if (value === undefined) throw new NotReadable(`${digest} must have a layer of JSON`)
  return value
}

/** Fetches a component that is stored as an OCI artifact. @see https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/ */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { MOST_COMPONENT_BYTES, OCI_ANNOTATION, sha256Of } from './component-package.ts'
import type { Fetched } from './fetched.ts'
import type { Attestation } from './sigstore/verify-bundle.ts'
import { jsonOf, OciClient, type OciReference, parseReference } from './oci-client.ts'

export const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
export const INDEX = 'application/vnd.oci.image.index.v1+json'
export const WASM_LAYER = 'application/wasm'
export const SIGNATURE_TYPE = 'application/vnd.ftl.signature.v1+json'

const MOST_MANIFEST = 1024 * 1024
const MOST_SIGNATURE = 64 * 1024
const MOST_BUNDLE = 1024 * 1024

/** Bundles of one artifact that are read. */
const MOST_BUNDLES = 16

/** As `cosign sign` attaches them. */
const BUNDLE_TYPE = /^application\/vnd\.dev\.sigstore\.bundle\.v\d\.\d+\+json$/

const DIGEST = /^sha256:[0-9a-f]{64}$/

/** @param text without `oci://`. @throws {CommandFailure} */
export async function fetchOci(text: string): Promise<Fetched> {
  const reference = parseReference(text)
  const client = new OciClient(reference)
  const { manifest, digest, body } = await readManifest(client, reference.reference)
  const layers = listOf(manifest['layers'])
  const wasm = layers.filter((layer) => layer['mediaType'] === WASM_LAYER)
  const [layer] = wasm
  if (!layer || wasm.length > 1) {
    throw new CommandFailure(
      `${text} must have exactly one layer of ${WASM_LAYER}; it has ${wasm.length}`,
    )
  }
  const bytes = await readBlob(client, layer, MOST_COMPONENT_BYTES)
  const annotations = manifest['annotations']
  const annotation = isObject(annotations) ? annotations[OCI_ANNOTATION] : undefined
  const about = typeof annotation === 'string' ? jsonOf(Buffer.from(annotation)) : undefined
  const referrers = await readReferrers(client, digest)
  return {
    wasm: bytes,
    about,
    signature: await readSignature(client, referrers),
    attestations: await readBundles(client, referrers, digest, body),
    registryKeys: [],
    source: `oci://${reference.host}/${reference.repository}@${digest}`,
    version: tagOf(reference),
    asked: {
      repository: reference.repository,
      ...(!DIGEST.test(reference.reference) && { tag: reference.reference }),
    },
    checks: [`the digest of the artifact (${digest.slice(0, 19)}…)`],
  }
}

const tagOf = ({ reference }: OciReference) => (DIGEST.test(reference) ? '' : reference)

async function readManifest(client: OciClient, reference: string) {
  const { status, body, headers } = await client.send(`manifests/${reference}`, {
    headers: { accept: MANIFEST },
    limit: MOST_MANIFEST,
  })
  const where = `oci://${client.host}/${client.repository}`
  if (status !== 200)
    throw new CommandFailure(
      status === 404
        ? `there is no ${where}:${reference}: the registry answered 404`
        : `${where}:${reference} cannot be fetched: the registry answered ${status}`,
    )
  const digest = sha256Of(body)
  const expected = DIGEST.test(reference) ? reference : (headers['docker-content-digest'] ?? digest)
  if (digest !== expected)
    throw new CommandFailure(
      `the manifest of ${where} has another digest than the registry says: it was changed`,
    )
  const manifest = jsonOf(body)
  if (!isObject(manifest)) throw new CommandFailure(`${where} has a manifest that is not JSON`)
  return { manifest, digest, body }
}

async function readBlob(
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
    throw new CommandFailure(
      `a layer of the artifact must have a sha256 digest and at most ${limit} bytes`,
    )
  }
  const { status, body } = await client.send(`blobs/${digest}`, { limit: size })
  if (status !== 200)
    throw new CommandFailure(
      `a layer of the artifact cannot be fetched: the registry answered ${status}`,
    )
  if (sha256Of(body) === digest) return body
  throw new CommandFailure(
    'a layer of the artifact has another digest than its manifest says: it was changed',
  )
}

/** The list of referrers or, in registries without it, the index under the tag that the specification names. */
async function readReferrers(
  client: OciClient,
  digest: string,
): Promise<Record<string, unknown>[]> {
  const list = await client.send(`referrers/${digest}`, {
    headers: { accept: INDEX },
    limit: MOST_MANIFEST,
  })
  let index = list.status === 200 ? jsonOf(list.body) : undefined
  if (list.status === 404) {
    const tagged = await client.send(`manifests/${digest.replace(':', '-')}`, {
      headers: { accept: INDEX },
      limit: MOST_MANIFEST,
    })
    index = tagged.status === 200 ? jsonOf(tagged.body) : undefined
  }
  return isObject(index) ? listOf(index['manifests']) : []
}

async function readSignature(
  client: OciClient,
  referrers: readonly Record<string, unknown>[],
): Promise<unknown> {
  const descriptor = referrers.find((each) => each['artifactType'] === SIGNATURE_TYPE)
  return descriptor && readAttached(client, descriptor, MOST_SIGNATURE)
}

async function readBundles(
  client: OciClient,
  referrers: readonly Record<string, unknown>[],
  digest: string,
  artifact: Buffer,
): Promise<Attestation[]> {
  const found = referrers.filter((each) => BUNDLE_TYPE.test(String(each['artifactType'])))
  if (found.length > MOST_BUNDLES)
    throw new CommandFailure(`the artifact has more than ${MOST_BUNDLES} Sigstore bundles`)
  const subject = { algorithm: 'sha256' as const, digest: digest.slice('sha256:'.length) }
  const bundles = found.map(async (each) => readAttached(client, each, MOST_BUNDLE))
  return (await Promise.all(bundles)).map((bundle) => ({ bundle, subject, artifact }))
}

/** The only layer of an artifact that refers to another one. */
async function readAttached(
  client: OciClient,
  { digest }: Record<string, unknown>,
  limit: number,
): Promise<unknown> {
  if (typeof digest !== 'string' || !DIGEST.test(digest)) return undefined
  const { manifest } = await readManifest(client, digest)
  const [layer] = listOf(manifest['layers'])
  return layer && jsonOf(await readBlob(client, layer, limit))
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject).slice(0, 100) : []
}

/** Fetches a component that is stored as an OCI artifact. @see https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/ */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { MOST_COMPONENT_BYTES, OCI_ANNOTATION } from './component-package.ts'
import type { Fetched } from './fetched.ts'
import { readBundles, readReferrers, readSignatures } from './oci-attached.ts'
import { jsonOf, OciClient, type OciReference, parseReference } from './oci-client.ts'
import { DIGEST, INDEX, listOf, MANIFEST, readBlob, readManifest } from './oci-manifest-and-blob.ts'
import { refuseOtherKind } from './oci-kind.ts'

export const WASM_LAYER = 'application/wasm'

/** Some registries answer 404 for a tag whose kind the client does not accept; the error should name the kind. */
const ANY_KIND = `${MANIFEST}, ${INDEX}, application/vnd.docker.distribution.manifest.v2+json, application/vnd.docker.distribution.manifest.list.v2+json`

/** @param text without `oci://`. @throws {CommandFailure} */
export async function fetchOci(text: string): Promise<Fetched> {
  const reference = parseReference(text)
  const client = new OciClient(reference)
  const { manifest, digest, body } = await readManifest(client, reference.reference, ANY_KIND)
  refuseOtherKind(text, manifest)
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
  const signatures = await readSignatures(client, referrers)
  const bundles = await readBundles(client, referrers, digest, body)
  return {
    wasm: bytes,
    about,
    signatures: signatures.found,
    unreadSignatures: signatures.unread + bundles.unread,
    attestations: bundles.found,
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

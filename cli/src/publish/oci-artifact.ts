/**
 * The OCI artifact of a component: a manifest, its config and one layer, the same bytes each time.
 *
 * @see https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/
 */
import { canonicalJson } from 'ftl-contract'
import { componentInterfaces } from 'ftl-host'
import { OCI_ANNOTATION, sha256Of } from '../registry/component-package.ts'
import { WASM_LAYER } from '../registry/fetch-oci.ts'
import { MANIFEST } from '../registry/oci-manifest-and-blob.ts'
import { SIGNATURE_TYPE } from '../registry/oci-attached.ts'
import type { PackageSignature } from '../registry/publisher-signature.ts'
import type { Publishable } from './describe-component.ts'
import type { PublishSettings } from './settings.ts'

export interface Blob {
  mediaType: string
  digest: string
  bytes: Uint8Array
  annotations?: Record<string, string>
}

export interface Artifact {
  blobs: Blob[]
  manifest: Uint8Array
  digest: string
}

/** Programs that read the config need a time; the time of a build would change the digest. */
const CREATED = '1970-01-01T00:00:00Z'

const TITLE = 'org.opencontainers.image.title'

const MCP_NAME_LABEL = 'io.modelcontextprotocol.server.name'

export function componentArtifact(
  { about, wasm }: Publishable,
  { description, license, repository, mcpName }: PublishSettings,
): Artifact {
  // oras pull writes only layers with a title, under that name.
  const layer = titled(blob(WASM_LAYER, wasm), `${about.name.split('/').at(-1)}.wasm`)
  const { imports, exports } = componentInterfaces(wasm)
  const config = {
    created: CREATED,
    architecture: 'wasm',
    os: 'wasip2',
    layerDigests: [layer.digest],
    component: { imports, exports },
    // The MCP registry looks for the owner's name there.
    ...(mcpName !== undefined && { config: { Labels: { [MCP_NAME_LABEL]: mcpName } } }),
  }
  const annotations = {
    [OCI_ANNOTATION]: canonicalJson(about),
    [TITLE]: about.name,
    'org.opencontainers.image.version': about.version,
    ...(description !== '' && { 'org.opencontainers.image.description': description }),
    ...(license !== undefined && { 'org.opencontainers.image.licenses': license }),
    ...(repository !== undefined && { 'org.opencontainers.image.source': repository }),
    ...(mcpName !== undefined && { [MCP_NAME_LABEL]: mcpName }),
  }
  const configBlob = blob('application/vnd.wasm.config.v0+json', jsonBytes(config))
  return artifact({ config: configBlob, layer, annotations })
}

/** An artifact that refers to another one, as its signature. */
export function signatureArtifact(subject: Artifact, signature: PackageSignature): Artifact {
  return artifact({
    config: blob('application/vnd.oci.empty.v1+json', Buffer.from('{}')),
    layer: blob(SIGNATURE_TYPE, jsonBytes(signature)),
    more: {
      artifactType: SIGNATURE_TYPE,
      subject: { mediaType: MANIFEST, digest: subject.digest, size: subject.manifest.length },
    },
  })
}

function artifact({
  config,
  layer,
  annotations,
  more = {},
}: {
  config: Blob
  layer: Blob
  annotations?: Record<string, string>
  more?: object
}): Artifact {
  const manifest = jsonBytes({
    schemaVersion: 2,
    mediaType: MANIFEST,
    ...more,
    config: descriptorOf(config),
    layers: [descriptorOf(layer)],
    ...(annotations && { annotations }),
  })
  return { blobs: [config, layer], manifest, digest: sha256Of(manifest) }
}

const blob = (mediaType: string, bytes: Uint8Array): Blob => ({
  mediaType,
  digest: sha256Of(bytes),
  bytes,
})

const titled = (of: Blob, title: string): Blob => ({ ...of, annotations: { [TITLE]: title } })

const descriptorOf = ({ mediaType, digest, bytes, annotations }: Blob) => ({
  mediaType,
  digest,
  size: bytes.length,
  ...(annotations && { annotations }),
})

const jsonBytes = (value: object) => Buffer.from(JSON.stringify(value))

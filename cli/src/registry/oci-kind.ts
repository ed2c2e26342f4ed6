/** Artifacts of registries that are not a component: each kind is said by its name. */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'

/** @see https://github.com/spinframework/spin/blob/main/crates/oci/src/client.rs */
const SPIN_APPLICATION = 'application/vnd.fermyon.spin.application.v1+config'

const KINDS = new Map<unknown, string>([
  [
    SPIN_APPLICATION,
    'a Spin application, which spin up --from starts, and not one component. ftl publish makes a package of a component',
  ],
  ['application/vnd.oci.image.config.v1+json', 'a container image, and not a component'],
  ['application/vnd.docker.container.image.v1+json', 'a container image, and not a component'],
  ['application/vnd.cncf.helm.config.v1+json', 'a Helm chart, and not a component'],
])

/** Manifests of an index that an error names. */
const MOST_NAMED = 4

/** @throws {CommandFailure} which says what the artifact is. */
export function refuseOtherKind(text: string, manifest: Record<string, unknown>): void {
  const { manifests, config } = manifest
  if (Array.isArray(manifests)) throw new CommandFailure(`${text} is ${indexText(manifests)}`)
  const type = isObject(config) ? config['mediaType'] : undefined
  const layers: unknown[] = Array.isArray(manifest['layers']) ? manifest['layers'] : []
  const types = layers.flatMap((each) => (isObject(each) ? [each['mediaType']] : []))
  const isSpin = type === SPIN_APPLICATION || types.includes(SPIN_APPLICATION)
  // Some tools put a component into an image of one layer.
  if (!isSpin && types.includes('application/wasm')) return
  const kind = KINDS.get(isSpin ? SPIN_APPLICATION : type)
  if (kind !== undefined) throw new CommandFailure(`${text} is ${kind}`)
}

function indexText(manifests: readonly unknown[]): string {
  const digests = manifests
    .flatMap((each) => (isObject(each) ? [each['digest']] : []))
    .filter((each) => typeof each === 'string' && /^sha256:[0-9a-f]{64}$/.test(each))
  const named = digests.slice(0, MOST_NAMED).join(', ')
  const more = digests.length > MOST_NAMED ? ` and ${digests.length - MOST_NAMED} more` : ''
  return (
    `an index of ${manifests.length} artifacts, as images for several platforms have, and not a component` +
    (named === '' ? '' : `. If one of them is the component, add it by its digest: ${named}${more}`)
  )
}

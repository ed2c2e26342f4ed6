/** What a package says of the component in it. It is the word of a stranger until the component itself was checked. */
import { componentInterfaces, type Reach } from 'ftl-host'
import { canonicalJson, isObject } from 'ftl-contract'
import { binaryVerdicts } from '../contract-test/binary.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { digestOf } from '../pinning/lock-file.ts'

/** The key in `package.json`, and the annotation of an OCI manifest. */
export const NPM_KEY = 'ftl'
export const OCI_ANNOTATION = 'dev.ftl.component'

/** Bytes of the largest component that is fetched. */
export const MOST_COMPONENT_BYTES = 64 * 1024 * 1024

/** The rights that a package may ask for. */
const RIGHTS = ['hosts', 'components', 'stores', 'variables'] as const

/** Rights that depend on files and values of the publisher's machine. */
const NOT_PACKED = ['files', 'environment'] as const

/** What is signed: all of it. */
export interface ComponentPackage {
  name: string
  version: string
  /** `sha256:` and hexadecimal, of the `.wasm`. */
  digest: string
  world: string
  reach: Reach
  tools: string[]
}

const WORLD = 'ftl:component@0.1.0'

export const sha256Of = (bytes: Uint8Array) => `sha256:${digestOf(bytes)}`

/** @throws {CommandFailure} naming the field. */
export function parsePackage(value: unknown): ComponentPackage {
  const refuse = (field: string, form: string): never => {
    throw new CommandFailure(`the package is not one of ftl: its ${field} must be ${form}`)
  }
  if (!isObject(value)) return refuse(`"${NPM_KEY}"`, 'an object')
  const text = (field: 'name' | 'version' | 'digest' | 'world', pattern: RegExp, form: string) => {
    const found = value[field]
    return typeof found === 'string' && pattern.test(found) ? found : refuse(`"${field}"`, form)
  }
  const list = (from: Record<string, unknown>, field: string, pattern: RegExp): string[] => {
    const found = from[field] ?? []
    const isList = Array.isArray(found) && found.length <= 64
    if (isList && found.every((each) => typeof each === 'string' && pattern.test(each))) {
      return found as string[]
    }
    return refuse(`"${field}"`, 'a list of at most 64 names')
  }
  const reach = isObject(value['reach']) ? value['reach'] : refuse('"reach"', 'an object')
  for (const key of Object.keys(reach)) {
    const known: readonly string[] = [...RIGHTS, ...NOT_PACKED]
    if (!known.includes(key))
      refuse('"reach"', `made of ${RIGHTS.join(', ')}, and not "${key.slice(0, 40)}"`)
  }
  for (const key of NOT_PACKED) {
    if (list(reach, key, /^/).length > 0) {
      throw new CommandFailure(
        `the package wants ${key}, which ftl add cannot give: add the component by hand`,
      )
    }
  }
  const hosts = list(reach, 'hosts', /^[a-z*][a-z0-9+.*-]*:\/\/[\w.*:[\]-]{1,253}$/i)
  const lists = {
    hosts,
    components: list(reach, 'components', /^(\*|[a-z][a-z0-9-]{0,62})$/),
    stores: list(reach, 'stores', /^[a-z0-9][a-z0-9_-]{0,62}$/i),
    variables: list(reach, 'variables', /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/),
  }
  return {
    name: text('name', /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w./-]{0,213}$/, 'a name of a package'),
    version: text('version', /^[0-9A-Za-z][\w.+-]{0,127}$/, 'a version'),
    digest: text('digest', /^sha256:[0-9a-f]{64}$/, 'sha256: and 64 hexadecimal digits'),
    world: text('world', /^ftl:component@0\.1\.\d+$/, WORLD),
    reach: withoutEmpty(lists),
    tools: list(value, 'tools', /^[A-Za-z0-9_.-]{1,64}$/),
  }
}

export function withoutEmpty(lists: Readonly<Record<string, readonly string[]>>): Reach {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

/** The bytes that a signature is about. */
export const signedText = (about: ComponentPackage): string => canonicalJson(about)

const NETWORK =
  /^wasi:(http\/outgoing-handler|sockets\/(tcp|udp)(-create-socket)?|sockets\/ip-name-lookup)@/
const STORE = /^fermyon:spin\/key-value@/

/**
 * Whether the component is what its package says, and imports nothing else.
 *
 * @throws {CommandFailure}
 */
export function checkComponent(
  wasm: Uint8Array,
  { digest, reach }: Pick<ComponentPackage, 'digest' | 'reach'>,
): void {
  const found = sha256Of(wasm)
  if (found !== digest) {
    throw new CommandFailure(
      `the component has the digest ${found}, and its package says ${digest}: it was changed after it was published`,
    )
  }
  const failed = binaryVerdicts('the component', wasm).find(({ verdict }) => verdict === 'fail')
  if (failed) throw new CommandFailure(`${failed.reason}. ${failed.fix}`)
  const { imports } = componentInterfaces(wasm)
  const network = imports.find((name) => NETWORK.test(name))
  const hasNetwork = (reach.hosts?.length ?? 0) + (reach.components?.length ?? 0) > 0
  if (network !== undefined && !hasNetwork) throw overReaching(network, 'no hosts')
  const store = imports.find((name) => STORE.test(name))
  if (store !== undefined && !reach.stores) throw overReaching(store, 'no stores')
}

function overReaching(name: string, declared: string): CommandFailure {
  return new CommandFailure(
    `the component imports ${name}, and its package declares ${declared}: it could use rights that the package does not declare. ` +
      'Its author can build it again with ftl build, which leaves the import out, or declare what it needs.',
  )
}

/** What of `has` is not in `may`, as `hosts https://a.example`. */
export function beyond(has: Reach, may: Reach): string[] {
  return Object.entries(has).flatMap(([kind, names]) => {
    const allowed = new Set<string>(may[kind as keyof Reach] ?? [])
    return (names as string[]).filter((name) => !allowed.has(name)).map((name) => `${kind} ${name}`)
  })
}

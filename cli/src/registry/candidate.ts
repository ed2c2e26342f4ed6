/** Fetches a component, checks it, and makes it part of an application. */
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { NewFailure, PARTS } from 'create-ftl-tool'
import { loadManifest, type Manifest, parseManifest, type Reach } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { replaceManifest } from '../new/add-component.ts'
import { NotEditable } from '../new/tool-list.ts'
import { type Added, readAdded, writeAdded } from './added-lock.ts'
import {
  checkComponent,
  type ComponentPackage,
  MOST_COMPONENT_BYTES,
  parsePackage,
  sha256Of,
  withoutEmpty,
} from './component-package.ts'
import { refuseOther } from './refuse-other-package.ts'
import { effectLines } from './rights-in-words.ts'
import type { Fetched } from './fetched.ts'
import { addEntry, addedFile, removeEntry } from './manifest-entry.ts'
import { refuseRole, waitingFor } from './name-role.ts'
import { refuseOtherSource, refuseStepBack } from './refuse-step-back.ts'
import { fetchNpm, readArchive } from './fetch-npm.ts'
import { fetchOci } from './fetch-oci.ts'
import { signersOf } from './publisher-signature.ts'
import { identityText, isExpected } from './sigstore/expected-signer.ts'
import {
  broughtVariables,
  refuseTaken,
  type Taken,
  takenVariables,
  type Wanted,
} from './taken-variables.ts'
import {
  chosenSigner,
  refuseOtherSigner,
  trustChecks,
  type TrustOptions,
  trustPolicy,
  trustWarnings,
  verifiedIdentities,
} from './trust.ts'

export interface AddOptions extends TrustOptions {
  /** Name of the component. @default the last part of the package's name */
  name?: string | undefined
  /** Name that the package must have. @default what the source says */
  packageName?: string | undefined
  /** Takes a version that is older than the one in the lock. @default false */
  allowOlder?: boolean
  /** Rights of a file, which says none itself. */
  file: { hosts: readonly string[]; stores: readonly string[]; variables: readonly string[] }
}

/** A component that passed all checks, and was not added yet. */
export interface Candidate {
  id: string
  wasm: Uint8Array
  added: Added
  tools: readonly string[]
  checks: readonly string[]
  /** What could not be checked, and did not have to be. */
  warnings: readonly string[]
  before: Added | undefined
  /** What it may do, to be read after "it". */
  effects: readonly string[]
  /** Those of them that it did not have before; none of a component that is new. */
  news: readonly string[]
  /** Values of the application that it would receive: nothing is written before somebody has agreed to each. */
  taken: readonly Taken[]
  /** Where the application waits for a component of this name. */
  waiting: readonly string[]
  /** How it is not newer than what was added before, where that was allowed. */
  back: string | undefined
}

/** @throws {CommandFailure} and has then changed nothing. */
export async function fetchCandidate(
  wanted: string,
  folder: string,
  options: AddOptions,
): Promise<Candidate> {
  const manifest = await loadManifest(join(folder, 'spin.toml'))
  const policy = trustPolicy(manifest, options)
  const fetched = await fetchFrom(wanted, folder)
  const about = fetched.about === undefined ? undefined : parsePackage(fetched.about)
  const isPackage = !isFile(wanted)
  if (!about && isPackage) {
    throw new CommandFailure(
      `${wanted} does not say what it wants to reach, so it is not a package of ftl publish`,
    )
  }
  const described = about ?? ofFile(fetched, options)
  if (about) refuseOther(about, fetched.asked, options.packageName)
  checkComponent(fetched.wasm, described)
  const { signers, unfit } = about
    ? signersOf(about, fetched.signatures)
    : { signers: [], unfit: 0 }
  const identities = await verifiedIdentities(fetched, policy)
  const { attestations, unreadSignatures: unread } = fetched
  const signed = { signers, unfit, unread, identities, bundles: attestations.length }
  const trust = trustChecks(signed, policy)
  const id = options.name ?? idOf(described.name)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    throw new CommandFailure(
      `"${id}" cannot be the name of a component: choose one with --name, such as weather`,
    )
  }
  const variables = described.reach.variables ?? []
  refuseRole(id, variables)
  const lock = await readAdded(folder)
  const before = Object.hasOwn(lock, id) ? lock[id] : undefined
  if (!before && manifest.components.has(id)) {
    throw new CommandFailure(
      `spin.toml has a component "${id}" already: choose another name with --name`,
    )
  }
  refuseOtherSource(id, before, { wanted, name: about?.name })
  const back = refuseStepBack(id, before, described, options.allowOlder === true)
  refuseOtherSigner(id, before, signed, policy)
  const identity =
    identities.find((each) => identityText(each) === before?.identity) ??
    identities.find((each) => isExpected(each, policy.identities)) ??
    identities[0]
  const signer = chosenSigner(signed, policy, before?.signer)
  const added: Added = {
    wanted,
    source: fetched.source,
    ...(about && { name: about.name }),
    version: described.version,
    digest: described.digest,
    ...(signer !== undefined && { signer }),
    ...(identity && { identity: identityText(identity) }),
    reach: described.reach,
  }
  const taken = takenVariables(manifest, { id, variables, before })
  const waiting = before ? [] : waitingFor(manifest, id)
  const effects = effectsOf(manifest, { id, before }, described.reach)
  const had = before ? effectsOf(manifest, { id, before }, before.reach) : effects
  return {
    ...{ id, wasm: fetched.wasm, added, tools: described.tools, before, taken, waiting, back },
    checks: [...fetched.checks, ...trust],
    warnings: trustWarnings(signed),
    effects: [...effects, ...waiting],
    news: effects.filter((each) => !had.includes(each)),
  }
}

function effectsOf(manifest: Manifest, wanted: Omit<Wanted, 'variables'>, reach: Reach): string[] {
  const all = { ...wanted, variables: reach.variables ?? [] }
  const taken = takenVariables(manifest, all)
  const effects = [
    ...effectLines(reach, manifest),
    ...broughtVariables(all, taken),
    ...taken.map(({ effect }) => effect),
  ]
  return effects.length > 0 ? effects : ['reaches nothing: no network, no stores, no variables']
}

const isArchive = (wanted: string) =>
  wanted.endsWith('.tgz') && !wanted.startsWith('npm:') && !wanted.startsWith('oci://')
const isFile = (wanted: string) =>
  !isArchive(wanted) && (/^\.{0,2}\//.test(wanted) || wanted.endsWith('.wasm'))

async function fetchFrom(wanted: string, folder: string): Promise<Fetched> {
  if (wanted.startsWith('npm:')) return fetchNpm(wanted.slice(4), folder)
  if (wanted.startsWith('oci://')) return fetchOci(wanted.slice(6))
  if (isArchive(wanted)) return readArchive(await readLocal(wanted), wanted)
  if (!isFile(wanted)) {
    throw new CommandFailure(
      `"${wanted.slice(0, 80)}" must be ${PARTS.map(({ id }) => id).join(', ')}, npm:package, oci://host/name:tag, or the path of a .wasm or of a .tgz of ftl publish`,
    )
  }
  const wasm = await readLocal(wanted)
  return {
    wasm,
    about: undefined,
    signatures: [],
    unreadSignatures: 0,
    attestations: [],
    registryKeys: [],
    source: wanted,
    version: '',
    asked: {},
    checks: ['no signature: it is a file of this machine'],
  }
}

async function readLocal(path: string): Promise<Buffer> {
  const bytes = await readFile(resolve(path)).catch(() => {
    throw new CommandFailure(`there is no ${path}`)
  })
  if (bytes.length <= MOST_COMPONENT_BYTES) return bytes
  throw new CommandFailure(`${path} is larger than ${MOST_COMPONENT_BYTES} bytes`)
}

function ofFile({ wasm, source }: Fetched, { file }: AddOptions): ComponentPackage {
  const name =
    source
      .split('/')
      .at(-1)
      ?.replace(/\.wasm$/, '') ?? ''
  const reach: Reach = withoutEmpty({
    hosts: file.hosts,
    stores: file.stores,
    variables: file.variables,
  })
  return { name, version: '', digest: sha256Of(wasm), world: '', reach, tools: [] }
}

function idOf(name: string): string {
  return (name.split('/').at(-1) ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/**
 * Writes the file, the manifest and the lock.
 *
 * @param shared variables of the application that somebody has agreed to hand out. @default none
 * @returns the lines of the manifest, and variables that want values.
 * @throws {CommandFailure} for a value that was not agreed to, also if it appeared after the question.
 */
export async function commitCandidate(
  folder: string,
  { id, wasm, added, before }: Candidate,
  shared: readonly string[] = [],
) {
  const file = join(folder, 'spin.toml')
  const original = await readFile(file, 'utf8')
  const lock = await readAdded(folder)
  const variables = added.reach.variables ?? []
  refuseTaken(id, takenVariables(parseManifest(original, file), { id, variables, before }), shared)
  let text = original
  if (before && parseManifest(text, file).components.has(id))
    text = removeEntry(text, parseManifest(text, file), id)
  const edited = editable(() =>
    addEntry(text, parseManifest(text, file), { id, reach: added.reach, source: added.source }),
  )
  const path = join(folder, addedFile(id))
  await mkdir(dirname(path), { recursive: true })
  await replace(path, wasm)
  await writeAdded(folder, { ...lock, [id]: added })
  writeManifest(file, original, edited.text)
  return edited
}

function editable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error
    throw new CommandFailure(`spin.toml cannot be extended: ${error.message}. Nothing was written.`)
  }
}

/**
 * Takes a component out of `spin.toml`, and what `ftl add` has written of it.
 *
 * @returns the folder of its sources, which stays.
 * @throws {CommandFailure}
 */
export async function removeComponent(folder: string, id: string): Promise<string | undefined> {
  const added = await readAdded(folder)
  if (Object.hasOwn(added, id)) {
    await removeAdded(folder, id)
    return undefined
  }
  const file = join(folder, 'spin.toml')
  const text = await readFile(file, 'utf8')
  const manifest = parseManifest(text, file)
  const component = manifest.components.get(id)
  if (!component) {
    const known = [...manifest.components.keys()].join(', ')
    throw new CommandFailure(`spin.toml has no component "${id}"; it has ${known}`)
  }
  if (Object.hasOwn(component.variables, 'tool_components')) {
    throw new CommandFailure(`"${id}" is the gateway: an application without it has no tools`)
  }
  writeManifest(
    file,
    text,
    editable(() => removeEntry(text, manifest, id)),
  )
  const entry = component.tool['ftl']?.['entry']
  const [, sources] = /^((?:\.\/)?[\w./-]+)\/src\/[^/]+$/.exec(String(entry)) ?? []
  return sources !== undefined && existsSync(join(folder, sources)) ? sources : undefined
}

/** @throws {CommandFailure} */
export async function removeAdded(folder: string, id: string): Promise<void> {
  const { [id]: entry, ...rest } = await readAdded(folder)
  if (!entry) throw new CommandFailure(`ftl.lock has no component "${id}" that was added`)
  const file = join(folder, 'spin.toml')
  const text = await readFile(file, 'utf8')
  const manifest = parseManifest(text, file)
  if (manifest.components.has(id))
    writeManifest(
      file,
      text,
      editable(() => removeEntry(text, manifest, id)),
    )
  await writeAdded(folder, rest)
  await rm(join(folder, addedFile(id)), { force: true })
}

/** Where a link leads, if it is one. @throws {CommandFailure} when the file has changed since it was read. */
function writeManifest(file: string, before: string, after: string): void {
  try {
    replaceManifest(realpathSync(file), before, after)
  } catch (error) {
    if (error instanceof NewFailure) throw new CommandFailure(error.message)
    throw error
  }
}

async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

/** Fetches a component, checks it, and makes it part of an application. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { loadManifest, type Manifest, parseManifest, type Reach } from 'ftl-host'
import { CommandFailure } from '../failure.ts'
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
import type { Fetched } from './fetched.ts'
import { addEntry, addedFile, removeEntry } from './manifest-entry.ts'
import { fetchNpm } from './npm.ts'
import { fetchOci } from './oci.ts'
import { fingerprintOf, parseSigner, signerOf } from './signature.ts'

export interface AddOptions {
  /** Name of the component. @default the last part of the package's name */
  name?: string | undefined
  /** Public keys that are trusted, besides those of the project. */
  keys: readonly string[]
  requireSignature: boolean
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
  before: Added | undefined
}

/** @throws {CommandFailure} and has then changed nothing. */
export async function fetchCandidate(
  wanted: string,
  folder: string,
  options: AddOptions,
): Promise<Candidate> {
  const manifest = await loadManifest(join(folder, 'spin.toml'))
  const { signers, isRequired } = policyOf(manifest, options)
  const fetched = await fetchFrom(wanted, folder)
  const about = fetched.about === undefined ? undefined : parsePackage(fetched.about)
  const isPackage = !isFile(wanted)
  if (!about && isPackage) {
    throw new CommandFailure(
      `${wanted} does not say what it wants to reach, so it is not a package of ftl publish`,
    )
  }
  const described = about ?? ofFile(fetched, options)
  checkComponent(fetched.wasm, described)
  const signer =
    about && fetched.signature !== undefined ? signerOf(about, fetched.signature) : undefined
  const trust = trustOf(signer, signers, isRequired)
  const id = options.name ?? idOf(described.name)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    throw new CommandFailure(
      `"${id}" cannot be the name of a component: choose one with --name, such as weather`,
    )
  }
  const lock = await readAdded(folder)
  const before = Object.hasOwn(lock, id) ? lock[id] : undefined
  if (!before && manifest.components.has(id)) {
    throw new CommandFailure(
      `spin.toml has a component "${id}" already: choose another name with --name`,
    )
  }
  refuseOtherSigner(id, before, signer)
  const added: Added = {
    wanted,
    source: fetched.source,
    version: described.version,
    digest: described.digest,
    ...(signer !== undefined && { signer }),
    reach: described.reach,
  }
  return {
    id,
    wasm: fetched.wasm,
    added,
    tools: described.tools,
    checks: [...fetched.checks, trust],
    before,
  }
}

const isFile = (wanted: string) => /^\.{0,2}\//.test(wanted) || wanted.endsWith('.wasm')

async function fetchFrom(wanted: string, folder: string): Promise<Fetched> {
  if (wanted.startsWith('npm:')) return fetchNpm(wanted.slice(4), folder)
  if (wanted.startsWith('oci://')) return fetchOci(wanted.slice(6))
  if (!isFile(wanted)) {
    throw new CommandFailure(
      `"${wanted.slice(0, 80)}" must be npm:package, oci://host/name:tag or the path of a .wasm`,
    )
  }
  const wasm = await readFile(resolve(wanted)).catch(() => {
    throw new CommandFailure(`there is no ${wanted}`)
  })
  if (wasm.length > MOST_COMPONENT_BYTES)
    throw new CommandFailure(`${wanted} is larger than ${MOST_COMPONENT_BYTES} bytes`)
  return {
    wasm,
    about: undefined,
    signature: undefined,
    source: wanted,
    version: '',
    checks: ['no signature: it is a file of this machine'],
  }
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

/** `[application.tool.ftl]` of the manifest: `require_signature` and `signers`. */
function policyOf({ tool }: Manifest, { keys, requireSignature }: AddOptions) {
  const { require_signature: required = false, signers = [] } = tool['ftl'] ?? {}
  const where = '[application.tool.ftl]'
  if (typeof required !== 'boolean')
    throw new CommandFailure(`${where} require_signature must be true or false`)
  const isList = Array.isArray(signers) && signers.every((each) => typeof each === 'string')
  if (!isList) throw new CommandFailure(`${where} signers must be a list of public keys`)
  return {
    signers: new Set([...signers, ...keys].map(parseSigner)),
    isRequired: required || requireSignature,
  }
}

function trustOf(
  signer: string | undefined,
  signers: ReadonlySet<string>,
  isRequired: boolean,
): string {
  if (signer !== undefined && signers.has(signer))
    return `signed by a key that you trust (${fingerprintOf(signer)})`
  const what =
    signer === undefined
      ? 'not signed by its publisher'
      : `signed by ${signer}, a key that you do not know`
  if (!isRequired) return what
  throw new CommandFailure(
    `the package is ${what}, and this project takes only packages that are signed by a key it trusts. Trust a key with ` +
      '--key, or in [application.tool.ftl]: signers = ["ed25519:…"]',
  )
}

function refuseOtherSigner(
  id: string,
  before: Added | undefined,
  signer: string | undefined,
): void {
  if (before?.signer === undefined || before.signer === signer) return
  const now =
    signer === undefined ? 'is not signed' : `is signed by another key (${fingerprintOf(signer)})`
  throw new CommandFailure(
    `"${id}" was signed by ${fingerprintOf(before.signer)}, and the new version ${now}. If its publisher says that this is right, ` +
      `run "ftl remove ${id}" and add it again.`,
  )
}

/** Writes the file, the manifest and the lock. @returns the lines of the manifest, and variables that want values. */
export async function commitCandidate(folder: string, { id, wasm, added, before }: Candidate) {
  const file = join(folder, 'spin.toml')
  const original = await readFile(file, 'utf8')
  const lock = await readAdded(folder)
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
  await replace(file, edited.text)
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

/** @throws {CommandFailure} */
export async function removeAdded(folder: string, id: string): Promise<void> {
  const { [id]: entry, ...rest } = await readAdded(folder)
  if (!entry) throw new CommandFailure(`ftl.lock has no component "${id}" that was added`)
  const file = join(folder, 'spin.toml')
  const text = await readFile(file, 'utf8')
  const manifest = parseManifest(text, file)
  if (manifest.components.has(id))
    await replace(
      file,
      editable(() => removeEntry(text, manifest, id)),
    )
  await writeAdded(folder, rest)
  await rm(join(folder, addedFile(id)), { force: true })
}

async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

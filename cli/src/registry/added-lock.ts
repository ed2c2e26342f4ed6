/** What `ftl add` has added, under `added` in `ftl.lock`: the source, the digest, the signer and the rights of each. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { canonicalJson, isObject } from 'ftl-contract'
import { type Manifest, type Reach, reachOf } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { LOCK_FILE } from '../pinning/lock-file.ts'
import { beyond, sha256Of } from './component-package.ts'

export interface Added {
  /** As it was asked for, so that an update asks again. */
  wanted: string
  /** Exactly what was fetched. */
  source: string
  /** Of the package. @default a file, or added before it was kept */
  name?: string
  version: string
  digest: string
  /** The key that has signed it. @default it was not signed */
  signer?: string
  /** Who has signed it by Sigstore. @default no bundle was verified */
  identity?: string
  reach: Reach
}

export type AddedComponents = Record<string, Added>

type Lock = Record<string, unknown>

async function readWhole(folder: string): Promise<Lock> {
  const text = await readFile(join(folder, LOCK_FILE), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}'
      throw new CommandFailure(`${LOCK_FILE} cannot be read: ${error.message}`)
    },
  )
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Told below.
  }
  throw new CommandFailure(`${LOCK_FILE} is not valid JSON: restore it from version control`)
}

/** @throws {CommandFailure} for a lock that cannot be trusted. */
export async function readAdded(folder: string): Promise<AddedComponents> {
  const { added = {} } = await readWhole(folder)
  const isAdded = (each: unknown) =>
    isObject(each) &&
    ['wanted', 'source', 'version', 'digest'].every((key) => typeof each[key] === 'string') &&
    (each['name'] === undefined || typeof each['name'] === 'string') &&
    isObject(each['reach'])
  if (isObject(added) && Object.values(added).every(isAdded))
    return added as unknown as AddedComponents
  throw new CommandFailure(
    `${LOCK_FILE} has entries under "added" that cannot be read: restore it from version control`,
  )
}

/** Keeps everything else of the file. */
export async function writeAdded(folder: string, added: AddedComponents): Promise<void> {
  const { added: _, ...rest } = await readWhole(folder)
  const isEmpty = Object.keys(added).length === 0
  const lock: Lock = { version: 1, ...rest, ...(!isEmpty && { added }) }
  const file = join(folder, LOCK_FILE)
  if (isEmpty && !('components' in rest)) return rm(file, { force: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(JSON.parse(canonicalJson(lock)), undefined, 2)}\n`)
  await rename(draft, file)
}

/**
 * Whether each added component is the file that was accepted, with the rights that were accepted.
 *
 * @throws {CommandFailure} saying what to do.
 */
export async function checkAdded({ folder, components }: Manifest): Promise<void> {
  for (const [id, { digest, reach, source }] of Object.entries(await readAdded(folder))) {
    const component = components.get(id)
    if (!component) continue
    const path = component.source
    const wasm =
      typeof path === 'string'
        ? await readFile(resolve(folder, path)).catch(() => undefined)
        : undefined
    if (wasm && sha256Of(wasm) !== digest) {
      throw new CommandFailure(
        `the file of the component "${id}" is not the one that was added (${source}). Fetch it again with ` +
          `"ftl add --update ${id}", or remove it with "ftl remove ${id}".`,
      )
    }
    const more = beyond(reachOf(component), reach)
    if (more.length > 0) {
      throw new CommandFailure(
        `spin.toml gives the component "${id}" more than you accepted when you added it: ${more.join('; ')}. Remove that ` +
          `from [component.${id}], or accept what the package wants with "ftl add --update ${id}".`,
      )
    }
  }
}

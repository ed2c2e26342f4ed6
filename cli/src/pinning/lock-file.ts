/** Reads and writes `ftl.lock`, beside `spin.toml`. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  canonicalJson,
  type ComponentPins,
  isObject,
  type PinFile,
  PINNED_KINDS,
} from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'

export const LOCK_FILE = 'ftl.lock'

export const digestOf = (bytes: Uint8Array | string) =>
  createHash('sha256').update(bytes).digest('hex')

/** The digest of an entry, as the gateway computes it. */
export const digestOfEntry = (entry: unknown) => digestOf(canonicalJson(entry))

/** @returns `undefined` when there is no lock file. @throws {CommandFailure} for one that cannot be trusted. */
export async function readLock(folder: string): Promise<PinFile | undefined> {
  const text = await readFile(join(folder, LOCK_FILE), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandFailure(`${LOCK_FILE} cannot be read: ${(error as Error).message}`)
  })
  return text === undefined ? undefined : parseLock(text)
}

/** @throws {CommandFailure} */
function parseLock(text: string): PinFile | undefined {
  const refuse = (problem: string): never => {
    throw new CommandFailure(
      `${LOCK_FILE} ${problem}: restore it from version control, or remove it and run ftl pin`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('is not valid JSON')
  }
  if (!isObject(value)) return refuse('has no components')
  // Components were added, and none is pinned.
  if (value.components === undefined && isObject(value.added)) return undefined
  if (!isObject(value.components)) return refuse('has no components')
  if (value.version !== 1) return refuse('must have the version 1')
  for (const [component, pins] of Object.entries(value.components)) {
    if (!isObject(pins)) return refuse(`has no pins of ${component}`)
    for (const kind of PINNED_KINDS) {
      const entries = pins[kind] ?? {}
      if (!isObject(entries)) return refuse(`must have an object as ${kind} of ${component}`)
      for (const [name, pin] of Object.entries(entries)) {
        // The diff shows what is published, and the gateway compares the digest: they must say the same.
        if (isObject(pin) && pin.digest === digestOfEntry(pin.published)) continue
        return refuse(`was edited by hand: the digest of "${name}" (${component}) does not fit`)
      }
    }
  }
  return value as unknown as PinFile
}

/** Sorted, so that a change of the order changes no line. */
export async function writeLock(folder: string, lock: PinFile): Promise<void> {
  // What `ftl add` has written beside the pins stays.
  const text = await readFile(join(folder, LOCK_FILE), 'utf8').catch(() => '{}')
  const { added } = JSON.parse(text) as { added?: unknown }
  const sorted: unknown = JSON.parse(
    canonicalJson({ ...lock, ...(added !== undefined && { added }) }),
  )
  await writeFile(join(folder, LOCK_FILE), `${JSON.stringify(sorted, undefined, 2)}\n`)
}

/** The lock as the gateway needs it: without the texts. */
export function compact({ components }: PinFile, changed: ReadonlySet<string>): string {
  const short = Object.entries(components).map(([id, pins]): [string, ComponentPins] => {
    const kinds = PINNED_KINDS.map((kind) => [kind, digestsOf(pins[kind])])
    const lists = Object.fromEntries(kinds) as ComponentPins
    return [id, changed.has(id) ? { ...lists, changed: true } : lists]
  })
  return JSON.stringify({ version: 1, components: Object.fromEntries(short) })
}

function digestsOf(entries: ComponentPins['tools'] = {}) {
  return Object.fromEntries(Object.entries(entries).map(([name, { digest }]) => [name, { digest }]))
}

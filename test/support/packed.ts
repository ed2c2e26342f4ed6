// The packages as they are published. Packing takes half a minute of processor time, so one test file packs them, and
// the others use its tarballs.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { packAll, type Packed } from '../../scripts/packages/pack-all.ts'

type Outcome = { packed: Packed[] } | { error: string }

export interface PackedPackages {
  /** Folder of the tarballs. Tests must not change it. */
  folder: string
  packed: Packed[]
}

/** @throws {Error} when a package does not compile, in every test file that asks. */
export async function packedPackages(): Promise<PackedPackages> {
  const shared = inject('sharedFolder')
  const folder = join(shared, 'packages')
  const file = join(shared, 'packed.json')
  // Only one test file can create this folder: that one packs.
  const first = await mkdir(join(shared, 'packing')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  if (first) await writeOutcome(file, await packOnce(folder))
  const outcome = await readOutcome(file)
  if ('error' in outcome) throw new Error(outcome.error)
  return { folder, packed: outcome.packed }
}

async function packOnce(folder: string): Promise<Outcome> {
  return packAll(folder).then(
    (packed) => ({ packed }),
    (error: unknown) => ({ error: String(error) }),
  )
}

/** Renamed, so that a reader never sees half of it. */
async function writeOutcome(file: string, outcome: Outcome): Promise<void> {
  await writeFile(`${file}.part`, JSON.stringify(outcome))
  await rename(`${file}.part`, file)
}

async function readOutcome(file: string): Promise<Outcome> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text) as Outcome
    await pause(200)
  }
}

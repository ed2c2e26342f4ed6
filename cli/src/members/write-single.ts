import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { loadApplication } from '../targets.ts'
import { SINGLE_MANIFEST, singleManifest } from './single.ts'

export interface WrittenManifest {
  /** Path of the manifest. */
  file: string
  /** What the user has to know, in lines. */
  notes: readonly string[]
}

/** Writes the manifest of `ftl build --single`. @throws {CommandFailure} */
export async function writeSingle(from: string, ids: readonly string[]): Promise<WrittenManifest> {
  const { manifest } = await loadApplication(from, ids)
  const { text, names } = singleManifest(manifest, ids)
  const file = join(manifest.folder, SINGLE_MANIFEST)
  // Without a change, what watches the file need not build again.
  const before = await readFile(file, 'utf8').catch(() => '')
  if (before !== text) await writeFile(file, text)
  const shown = relative(process.cwd(), file)
  const notes = [
    `${shown} has one component: ${names.join(', ')}.`,
    'They share one sandbox. Code of one tool can reach the hosts, stores, files, variables and secrets of all of them and of the',
    'gateway, and a tool that computes without end or fills its memory stops them all. Put only code into it that you trust.',
    'Serve it with:',
    `  ftl up --from ${shown}`,
    `  spin up --from ${shown}`,
  ]
  return { file, notes }
}

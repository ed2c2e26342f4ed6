import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { loadApplication } from '../application/load-application.ts'
import { type Group, GROUPED_MANIFEST, groupedManifest } from './group.ts'
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
  await writeChanged(file, text)
  const shown = relative(process.cwd(), file)
  const notes = [
    `${shown} has one component: ${names.join(', ')}.`,
    'They share one sandbox. Code of one tool can reach the hosts, stores, files, variables and secrets of all of them and of the',
    'gateway, and a tool that computes without end or fills its memory stops them all. Put only code into it that you trust.',
    'Serve it with:',
    `  npx ftl up --from ${shown}`,
    `  spin up --from ${shown}`,
  ]
  return { file, notes }
}

/** Writes the manifest of `ftl build --group`. @throws {CommandFailure} */
export async function writeGrouped(
  from: string,
  groups: readonly Group[],
  allowShared: boolean,
): Promise<WrittenManifest> {
  const { manifest } = await loadApplication(from)
  const file = join(manifest.folder, GROUPED_MANIFEST)
  await writeChanged(file, groupedManifest(manifest, groups, allowShared))
  const shown = relative(process.cwd(), file)
  const notes = [
    ...groups.map(({ name, members }) => `${shown}: ${name} has ${members.join(', ')}.`),
    'They share one sandbox: hosts, stores, files, variables, and the memory of a request. Their names stay the same for clients,',
    'policy and audit log; the host shows the component of the group.',
    'Serve it with:',
    `  npx ftl up --from ${shown}`,
    `  spin up --from ${shown}`,
  ]
  return { file, notes }
}

/** Without a change, what watches the file need not build again. */
async function writeChanged(file: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '')
  if (before !== text) await writeFile(file, text)
}

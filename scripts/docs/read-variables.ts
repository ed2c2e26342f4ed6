/** Names of the variables that components read, found in their code. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FEATURES } from '../../gateway/src/features.ts'
import { settingsWith } from '../../gateway/src/settings.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The gateway reads a variable when one of its settings is first used. */
export function readByGateway(): string[] {
  const found = new Set<string>()
  const settings = settingsWith(FEATURES)({ get: (name) => void found.add(name) })
  const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(settings))
  for (const name of Object.keys(members)) {
    if (name !== 'read') void Reflect.get(settings, name)
  }
  return [...found]
}

/** @param folder relative to the repository. */
export async function readIn(folder: string): Promise<string[]> {
  const texts = await sourcesIn(folder)
  const found = texts.flatMap((text) => [
    ...text.matchAll(/variables\.(?:get|require)\('(\w+)'\)/g),
  ])
  return [...new Set(found.map(([, name = '']) => name))]
}

/** The texts of a folder's code, without tests. @param folder relative to the repository. */
export async function sourcesIn(folder: string): Promise<string[]> {
  const files = (await readdir(join(ROOT, folder), { recursive: true }))
    .filter((file) => /(?<!\.test|\.d)\.(tsx?|mjs)$/.test(file))
    .sort()
  return Promise.all(files.map((file) => readFile(join(ROOT, folder, file), 'utf8')))
}

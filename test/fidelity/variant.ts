import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { MANIFESTS } from '../support/manifests.ts'

export interface Folder {
  path: string
  /** Writes a file in it. @returns its path. */
  write(name: string, text: string): Promise<string>
  remove(): Promise<void>
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'ftl-fidelity-'))
  return {
    path,
    write: async (name, text) => {
      await writeFile(join(path, name), text)
      return join(path, name)
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** The manifest of the application, to be changed and put elsewhere. */
export async function manifestText(): Promise<string> {
  const folder = dirname(MANIFESTS.fidelity)
  const text = await readFile(MANIFESTS.fidelity, 'utf8')
  return text.replace(
    /(source|entry) = "([^"]+)"/g,
    (_, key: string, path: string) => `${key} = "${resolve(folder, path)}"`,
  )
}

/** Adds our Rust crates to the package `ftl`, because crates.io does not have them. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from './manifest.ts'

const CRATES = ['ftl-component', 'ftl-component-macros']

/** @param folder is made: a workspace of the crates without the examples. */
export async function addRustCrates(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const crate of CRATES) {
    await cp(join(REPOSITORY, 'rust', crate), join(folder, crate), {
      recursive: true,
      filter: (path) => !/[\\/]target$/.test(path),
    })
  }
  const workspace = await readFile(join(REPOSITORY, 'rust', 'Cargo.toml'), 'utf8')
  const members = CRATES.map((crate) => JSON.stringify(crate)).join(', ')
  await writeFile(
    join(folder, 'Cargo.toml'),
    workspace.replace(/^members = \[.*\]$/m, `members = [${members}]`),
  )
}

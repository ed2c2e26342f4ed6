/** Where a reader types: a clone, and an application that was created of the packages. Each is made when it is first needed. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClone } from '../../day/clone.ts'
import { mergeToml } from '../../day/manifest-lines.ts'
import type { Terminal } from '../../day/terminal.ts'

/** What a page asks a reader to make, and what serving leaves. */
const LEFT = [
  ...['.env', '.spin', '.mcp.json', 'remote-servers.json', 'key.txt'],
  ...['portrait', 'image_z_image_turbo', 'image_z_image_turbo.api'].flatMap((name) =>
    ['config', 'workflows'].map((part) => `components/workflows/${part}/${name}.json`),
  ),
]

export class Places {
  readonly #folder: string
  readonly #packages: string
  #application: Promise<string> | undefined
  #clone: string | undefined
  #count = 0

  /** @param folder is there, and outside of the repository. @param packages folder of the packed packages. */
  constructor(folder: string, packages: string) {
    this.#folder = folder
    this.#packages = packages
  }

  /** The one clone, without what the page before asked for. */
  clone(): string {
    if (this.#clone === undefined) {
      this.#clone = join(this.#folder, 'clone')
      makeClone(this.#clone)
    }
    for (const name of LEFT) rmSync(join(this.#clone, name), { recursive: true, force: true })
    return this.#clone
  }

  emptyFolder(): string {
    const folder = join(this.#folder, `empty-${++this.#count}`)
    mkdirSync(folder)
    return folder
  }

  /** A new application: a copy of the one that was created first. */
  async application(terminal: Terminal): Promise<string> {
    const made = await (this.#application ??= this.#create(terminal))
    const folder = join(this.#folder, `application-${++this.#count}`)
    cpSync(made, folder, { recursive: true, filter: (path) => !path.endsWith('/node_modules') })
    execFileSync('cp', ['-al', join(made, 'node_modules'), folder])
    return folder
  }

  async #create(terminal: Terminal): Promise<string> {
    const archive = join(this.#packages, 'create-ftl-tool-0.1.0.tgz')
    terminal.folder = this.emptyFolder()
    const { code, output } = await terminal.type(
      `npm exec --yes --package=${archive} -- create-ftl-tool greet --packages ${this.#packages} --yes`,
    )
    if (code !== 0) throw new Error(`no application was created:\n${output}`)
    return join(terminal.folder, 'greet')
  }
}

/** Gives the tool of a new application a variable without a default. */
export async function requireVariable(application: string): Promise<void> {
  const manifest = join(application, 'spin.toml')
  const block = `[variables]
api_key = { required = true, secret = true }

[component.greet.variables]
api_key = "{{ api_key }}"`
  await writeFile(manifest, mergeToml(await readFile(manifest, 'utf8'), block))
  await writeFile(join(application, '.env'), 'SPIN_VARIABLE_API_KEY=sunshine\n')
}

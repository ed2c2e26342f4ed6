import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from '../support/command.ts'

const run = promisify(execFile)

export interface Workshop {
  folder: string
  write(path: string, text: string): Promise<void>
  close(): Promise<void>
}

/** An author's folder, where the packages are found. */
export async function openWorkshop(files: Record<string, string> = {}): Promise<Workshop> {
  const dist = join(REPOSITORY, 'dist')
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, 'authors-'))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  return { folder, write, close: () => rm(folder, { recursive: true, force: true }) }
}

/** What an author reads of each component: why it could not be built, and what was wrong all the same. */
export type Words = Record<string, { failure?: string; warnings: string[] }>

/** Builds `src/{id}.ts` of each, all in one process: its first build loads the builder. */
export async function buildEach(folder: string, ids: readonly string[]): Promise<Words> {
  const script = fileURLToPath(new URL('./build-each.ts', import.meta.url))
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1 << 24 }
  const { stdout } = await run(process.execPath, [script, ...ids], options)
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as Words
}

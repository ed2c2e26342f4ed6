/** Reads the folder of a skill, for the component that serves it. */
import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { MAX_SKILL_FILES, SKILL_FILE, type SkillFile, type SkillFolder } from 'ftl-contract'
import { problemForClients } from './clients-reading.ts'
import { readFrontMatter } from './front-matter.ts'

/** What is read of one folder: all of it becomes part of the component and of each of its instances. */
const MAX_BYTES = 2 * 1024 * 1024

export interface ReadSkill {
  /** `undefined` if there are problems. */
  skill: SkillFolder | undefined
  /** Each with the file and, where there is one, the line. */
  problems: string[]
  /** Absolute paths of its files and folders: a change of one changes the skill. */
  inputs: string[]
}

/** @param folder absolute path. */
export async function readSkill(folder: string): Promise<ReadSkill> {
  const problems: string[] = []
  const inputs: string[] = []
  const files: SkillFile[] = []
  const shown = (path: string) => relative(process.cwd(), path)
  let bytes = 0
  let source = ''

  async function walk(path: string): Promise<void> {
    inputs.push(path)
    const entries = await readdir(path, { withFileTypes: true })
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      // Files of editors and version control, which no author means to publish.
      if (entry.name.startsWith('.')) continue
      const child = join(path, entry.name)
      if (entry.isDirectory()) await walk(child)
      else if (entry.isFile()) await add(child)
      else {
        problems.push(
          `${shown(child)}: a skill must have only files and folders: replace the link by a copy`,
        )
      }
      if (problems.length > 0) return
    }
  }

  async function add(path: string): Promise<void> {
    inputs.push(path)
    const { size } = await lstat(path)
    bytes += size
    const name = relative(folder, path).replaceAll('\\', '/')
    const problem =
      problemOfName(name) ??
      (files.length >= MAX_SKILL_FILES ? `a skill must have at most ${MAX_SKILL_FILES} files` : '')
    if (problem !== '') return void problems.push(`${shown(path)}: ${problem}`)
    if (bytes > MAX_BYTES) {
      const limit = `${MAX_BYTES / 1024 / 1024} MiB`
      return void problems.push(
        `${shown(path)}: the files of a skill must have at most ${limit} together`,
      )
    }
    const content = await readFile(path)
    const text = textOf(content)
    if (name === SKILL_FILE) source = text ?? ''
    files.push({
      path: name,
      digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
      size: content.byteLength,
      mimeType: typeOf(name, text !== undefined),
      ...(text === undefined ? { blob: content.toString('base64') } : { text }),
    })
  }

  const main = join(folder, SKILL_FILE)
  const isLink = (await lstat(folder)).isSymbolicLink()
  if (isLink) problems.push(`${shown(folder)}: a skill must be a folder, and this is a link`)
  else await walk(folder)
  if (problems.length > 0) return { skill: undefined, problems, inputs }
  if (!files.some(({ path }) => path === SKILL_FILE)) {
    problems.push(`${shown(main)}: there is no such file. A skill must have one`)
    return { skill: undefined, problems, inputs }
  }
  const read = readFrontMatter(source, basename(folder))
  if ('frontmatter' in read) {
    const { frontmatter } = read
    const problem = await problemForClients(source, frontmatter)
    if (problem === undefined) return { skill: { frontmatter, files }, problems, inputs }
    return { skill: undefined, problems: [`${shown(main)}: ${problem}`], inputs }
  }
  const lines = read.problems.map(({ line, message }) => `${shown(main)}:${line}: ${message}`)
  return { skill: undefined, problems: lines, inputs }
}

/** @returns `undefined` for a name that survives in an address. */
function problemOfName(name: string): string | undefined {
  if (name.includes('\\') || /[\0-\x1f\x7f]/.test(name)) {
    return 'the name of a file must have no control characters and no backslash'
  }
  return name.isWellFormed() ? undefined : 'the name of a file must be valid Unicode'
}

/** With a byte order mark, if there is one: clients compare the bytes. */
function textOf(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.md', 'text/markdown'],
  ['.txt', 'text/plain'],
  ['.html', 'text/html'],
  ['.css', 'text/css'],
  ['.csv', 'text/csv'],
  ['.json', 'application/json'],
  ['.yaml', 'application/yaml'],
  ['.yml', 'application/yaml'],
  ['.py', 'text/x-python'],
  ['.js', 'text/javascript'],
  ['.sh', 'application/x-sh'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.pdf', 'application/pdf'],
])

function typeOf(name: string, isText: boolean): string {
  return (
    TYPES.get(extname(name).toLowerCase()) ?? (isText ? 'text/plain' : 'application/octet-stream')
  )
}

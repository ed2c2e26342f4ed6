/** Declarations of variables: in a TOML file, with description and default, or in a docstring. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, type TomlTable } from 'smol-toml'
import { sourcesIn } from './read-variables.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Declared {
  name: string
  /** The default, as Markdown; empty if it is not worth a word. */
  usual: string
  meaning: string
  /** @default false */
  secret?: boolean
}

/** Ends a text that says what an empty value means: this is the default for people. */
const EMPTY = /; empty = (.*)$/s

/**
 * The entries of a table. A string has its meaning in the comment above it, and a table in `description`.
 *
 * @param file relative to the repository.
 * @throws {Error} for an entry without a meaning.
 */
export async function declaredInToml(file: string, table: string): Promise<Declared[]> {
  const text = await readFile(join(ROOT, file), 'utf8')
  const entries = parse(text)[table] as TomlTable
  return Object.entries(entries).map(([name, value]) => {
    const entry: TomlTable =
      typeof value === 'string'
        ? { description: commentAbove(text, name), default: value }
        : (value as TomlTable)
    const { description, default: usual, secret } = entry
    if (typeof description !== 'string' || description === '' || typeof usual !== 'string') {
      throw new Error(`${file}: ${name} needs a description and a default`)
    }
    const [, empty = ''] = EMPTY.exec(description) ?? []
    return {
      name,
      usual: usual === '' ? empty : code(usual),
      secret: secret === true,
      meaning: description.replace(EMPTY, '').replace(/\.$/, ''),
    }
  })
}

const code = (value: string): string => (/^\d+$/.test(value) ? value : `\`${value}\``)

function commentAbove(text: string, name: string): string {
  const [, comment = ''] = new RegExp(`((?:^#.*\\n)+)${name} = `, 'm').exec(text) ?? []
  return comment.replaceAll(/^# ?/gm, '').trim().replaceAll('\n', ' ')
}

/** For each variable of the manifest, the components that get it as a variable or as a host, in the order of the manifest. */
export async function readersIn(file: string): Promise<Map<string, string[]>> {
  const { component } = parse(await readFile(join(ROOT, file), 'utf8'))
  const readers = new Map<string, string[]>()
  for (const [id, settings] of Object.entries(component as Record<string, TomlTable>)) {
    const texts = JSON.stringify([settings['variables'], settings['allowed_outbound_hosts']])
    for (const [, name = ''] of texts.matchAll(/\{\{ (\w+) \}\}/g)) {
      const before = readers.get(name) ?? []
      if (!before.includes(id)) readers.set(name, [...before, id])
    }
  }
  return readers
}

/**
 * Docstrings of the form "`name`: meaning. \@default value". The first paragraph is the meaning.
 *
 * @param folder relative to the repository.
 */
export async function declaredInCode(folder: string): Promise<Declared[]> {
  return (await sourcesIn(folder)).flatMap(declarationsOf)
}

function declarationsOf(text: string): Declared[] {
  return [...text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\//g)].flatMap(([, inner = '']) => {
    const lines = inner.replaceAll(/^ *\* ?/gm, '').trim()
    const [, name = '', rest] = /^`([\w*]+)`: ([^]*)$/.exec(lines) ?? []
    if (rest === undefined) return []
    const [before = '', usual = ''] = rest.split(/\s*@default /)
    const [meaning = ''] = before.split('\n\n')
    const flat = (part: string) => part.trim().replaceAll('\n', ' ')
    return [{ name, usual: flat(usual), meaning: flat(meaning).replace(/\.$/, '') }]
  })
}

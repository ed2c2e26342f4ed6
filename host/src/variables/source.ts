/**
 * What stands after `--variable`.
 * @see https://spinframework.dev/v4/running-apps#setting-application-variables
 */
import { readFileSync } from 'node:fs'
import { parseToml } from '../manifest/toml.ts'

/** What `--variable` was given cannot be read as variables. */
export class VariableSourceError extends Error {
  override readonly name = 'VariableSourceError'
}

/**
 * The variables of one source: `name=value`, `name=@file` (its text without the line end at its end; `name=@@x` is the text `@x`), `@file.json`
 * or `@file.toml` (a table of strings).
 *
 * @throws {VariableSourceError}
 */
export function readVariables(source: string): Record<string, string> {
  if (source.startsWith('@')) return readTable(source.slice(1))
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(source) ?? []
  if (name === undefined || value === undefined) {
    throw new VariableSourceError(`"${source}" is neither name=value nor @file.json or @file.toml`)
  }
  if (value.startsWith('@@')) return { [name]: value.slice(1) }
  // Editors end a file with a line end, which belongs to no token.
  if (value.startsWith('@')) return { [name]: readText(value.slice(1)).replace(/\r?\n$/, '') }
  return { [name]: value }
}

function readTable(file: string): Record<string, string> {
  const [, kind] = /\.(json|toml)$/.exec(file) ?? []
  if (kind === undefined) {
    throw new VariableSourceError(`${file}: a file of variables must end in .json or .toml`)
  }
  const text = readText(file)
  const table = kind === 'json' ? parseJson(text, file) : parseToml(text, file)
  if (typeof table !== 'object' || table === null || Array.isArray(table)) {
    throw new VariableSourceError(`${file} must be a table of names and strings`)
  }
  for (const [name, value] of Object.entries(table)) {
    if (typeof value === 'string') continue
    throw new VariableSourceError(`${file}: "${name}" must be a string, not a ${typeof value}`)
  }
  return { ...(table as Record<string, string>) }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new VariableSourceError(`${file} is not JSON`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new VariableSourceError(`${file} cannot be read (${reason})`)
  }
}

/**
 * JSON, YAML and TOML of the pages. A piece of a manifest is put into a manifest, which is then read as the host reads it.
 */
import { join } from 'node:path'
import { parseManifest } from 'ftl-host'
import { readFileSync } from 'node:fs'
import { parse, stringify, type TomlTable } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { parseRuntimeConfig } from '../../../host/src/runtime-config/runtime-config.ts'
import { REPOSITORY } from '../../support/command.ts'
import { at, type Block } from './blocks.ts'

const MANIFEST = join(REPOSITORY, 'spin.toml')

/** What is wrong with one block of JSON, with comments or without. */
export function jsonProblems(block: Block): string[] {
  try {
    JSON.parse(block.language === 'jsonc' ? withoutComments(block.code) : block.code)
    return []
  } catch (error) {
    return [`${at(block)}: ${(error as Error).message}`]
  }
}

/** What is wrong with one block of YAML: settings of a third-party program, of which only the form is checked. */
export function yamlProblems(block: Block): string[] {
  try {
    parseYaml(block.code)
    return []
  } catch (error) {
    return [`${at(block)}: ${(error as Error).message}`]
  }
}

/** What is wrong with one block of TOML. */
export function tomlProblems(block: Block): string[] {
  const { code, marks } = block
  try {
    if (marks.includes('cargo')) parse(code)
    else if (marks.includes('runtime-config')) parseRuntimeConfig(code, MANIFEST)
    else if (marks.includes('component'))
      parseManifest(withPiece({ component: { piece: parse(code) } }), MANIFEST)
    else parseManifest(withPiece(parse(code)), MANIFEST)
    return []
  } catch (error) {
    return [`${at(block)}: ${(error as Error).message}`]
  }
}

/** A complete manifest: that of the repository with a piece, in which components may lack what a page need not say. */
function withPiece(piece: TomlTable): string {
  if ('spin_manifest_version' in piece) return stringify(piece)
  const whole = merge(parse(readFileSync(MANIFEST, 'utf8')), piece)
  for (const [id, component] of Object.entries((whole['component'] ?? {}) as TomlTable)) {
    ;(component as TomlTable)['source'] ??= `dist/${id}.wasm`
  }
  return stringify(whole)
}

/** Tables one in the other, lists one after the other; what the piece says counts. */
function merge(whole: TomlTable, piece: TomlTable): TomlTable {
  const merged: TomlTable = { ...whole }
  for (const [key, value] of Object.entries(piece)) {
    const before = merged[key]
    if (Array.isArray(before) && Array.isArray(value)) merged[key] = [...before, ...value]
    else if (isTable(before) && isTable(value)) merged[key] = merge(before, value)
    else merged[key] = value
  }
  return merged
}

const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

// Texts first, so that an address is not taken for a comment.
const withoutComments = (text: string): string =>
  text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[^]*?\*\//g, '$1')
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1')

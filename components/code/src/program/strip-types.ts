/** Removes types, and keeps positions: a program is JavaScript or TypeScript, and only its syntax counts. */
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { type Options, transform } from 'sucrase'
import type { Position } from './position.ts'
import { ProgramError } from './program-error.ts'

export interface Stripped {
  code: string
  /** The place in the source; computed when an error asks for it. */
  original: (place: Position) => Position
}

const AT = / \((\d+):(\d+)\)$/
const NAMESPACE = /^[ \t]*(?:export\s+)?(?:namespace|module)\s+[\w.]+\s*\{/m

/** @throws {ProgramError} when it is neither JavaScript nor TypeScript. */
export function stripTypes(code: string, isModule: boolean): Stripped {
  // Its body would be gone without a word.
  const namespace = NAMESPACE.exec(code)
  if (namespace) {
    const line = code.slice(0, namespace.index).split('\n').length
    const message = 'a namespace is not supported: use an object'
    throw new ProgramError('SyntaxError', message, { line, column: 1 })
  }
  const options: Options = {
    transforms: isModule ? ['typescript', 'imports'] : ['typescript'],
    disableESTransforms: true,
    keepUnusedImports: true,
    production: true,
  }
  return { code: run(code, options).code, original: (place) => originalOf(code, options, place) }
}

function run(code: string, options: Options) {
  try {
    return transform(code, options)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const [suffix = '', line, column] = AT.exec(text) ?? []
    const place = line ? { line: Number(line), column: Number(column) } : undefined
    const message = text
      .slice(0, text.length - suffix.length)
      .replace(/^Error transforming \S+: /, '')
    throw new ProgramError('SyntaxError', message, place)
  }
}

function originalOf(code: string, options: Options, place: Position): Position {
  const sourceMapOptions = { compiledFilename: 'program.js' }
  const { sourceMap } = run(code, { ...options, sourceMapOptions, filePath: 'program.ts' })
  if (!sourceMap) return place
  const map = new TraceMap({ ...sourceMap, version: 3 })
  const found = originalPositionFor(map, { line: place.line, column: place.column - 1 })
  return found.line === null ? place : { line: found.line, column: found.column + 1 }
}

/**
 * Compiles the TypeScript of the pages as strictly as our own code, except that a sample may declare what it does not
 * use.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { REPOSITORY } from '../../support/command.ts'
import { at, type Block } from './blocks.ts'
import { ELSEWHERE } from './coverage.ts'
import { isQuoted } from './quoted.ts'

/** Parsed once, for every page. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Only the nightly run installs it; blocks that import it are compiled there. */
const OPENAI = join(REPOSITORY, 'test/judges/node_modules/openai')
const hasOpenAi = existsSync(OPENAI)

/** What the compiler finds wrong in the blocks of one page, each with page and line. */
export function typeProblems(all: readonly Block[]): string[] {
  const blocks = all.filter(
    (block) => hasOpenAi || !/ from 'openai'$/m.test(moduleText(block, all)),
  )
  const files = new Map(blocks.map((block, index) => [pathOf(block, index), block] as const))
  const texts = new Map(
    [...files].map(([path, block]) => [path, moduleText(block, blocks)] as const),
  )
  const options = compilerOptions()
  const host = ts.createCompilerHost(options)
  const fileExists = host.fileExists.bind(host)
  const getSourceFile = host.getSourceFile.bind(host)
  const directoryExists = host.directoryExists?.bind(host) ?? (() => true)
  const folders = new Set([...files.keys()].map(dirname))
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.directoryExists = (name) => folders.has(name) || directoryExists(name)
  host.getSourceFile = (name, version) => {
    const text = texts.get(name)
    if (text !== undefined) return ts.createSourceFile(name, text, version)
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, version))
    return parsed.get(name)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return [...files].flatMap(([path, block]) => {
    const source = program.getSourceFile(path)
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]
    const text = texts.get(path) ?? ''
    const first = lineCount(text) - lineCount(block.code) - TAIL_LINES
    return found.map(({ messageText, start = 0 }) => {
      const line = block.line + lineCount(text.slice(0, start)) - first
      return `${block.page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}

/** Makes a module of a block without imports and exports. */
const TAIL = '\nexport {}\n'
const TAIL_LINES = 2

const lineCount = (text: string): number => text.split('\n').length

/** The code that is compiled and run: the block, after the blocks that it continues. */
export function moduleText(block: Block, blocks: readonly Block[]): string {
  return `${withPredecessors(block, blocks)}${TAIL}`
}

function withPredecessors(block: Block, blocks: readonly Block[]): string {
  const own = block.given === '' ? block.code : `${block.given}\n${block.code}`
  if (!block.marks.includes('continues')) return own
  const before = blocks
    .filter(({ language, page, line }) => {
      return language === block.language && page === block.page && line < block.line
    })
    .at(-1)
  if (!before) throw new Error(`${at(block)}: there is no block it could go on from`)
  return `${withPredecessors(before, blocks)}\n${own}`
}

function pathOf(block: Block, index: number): string {
  const name = block.marks.find((mark) => mark.endsWith('.ts'))
  return join(REPOSITORY, name ?? `docs/block-${index}.ts`)
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  ) as { config: { compilerOptions: object } }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, REPOSITORY)
  return {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    ...(hasOpenAi && { paths: { ...options.paths, openai: [join(OPENAI, 'index.d.mts')] } }),
  }
}

/**
 * JavaScript samples are checked as strictly; `given` declares their names. Pages whose code another test compiles are
 * left to that test.
 */
export const isTypeScript = (block: Block): boolean =>
  /^(ts|js)$/.test(block.language) &&
  !isQuoted(block) &&
  ELSEWHERE[block.page]?.languages.includes(block.language) !== true

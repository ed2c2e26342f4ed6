/**
 * Checks the commands of the pages: commands of this repository must exist, with every option that is given; of others
 * only the name is checked.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { applicationFiles } from '../../../create-ftl-tool/src/application.ts'
import { templateOf } from '../../../create-ftl-tool/src/template.ts'
import { REPOSITORY } from '../../support/command.ts'
import { at, type Block } from './blocks.ts'
import { ftlProblem } from './ftl-command.ts'
import { type ShellCommand, shellCommands } from './shell-words.ts'

/** Third-party programs that the pages ask a reader to run. */
const OTHERS = new Set([
  ...['cargo', 'cd', 'claude', 'code', 'cosign', 'docker', 'kubectl', 'rustup', 'spin', 'sqlite3'],
])

/** Packages that `npx` fetches for a reader; we do not depend on them. */
const FETCHED = new Set(['mcp-remote'])

interface Manifest {
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** What is wrong with the commands of one page, each with page and line. */
export function shellProblems(blocks: readonly Block[], program: Command): string[] {
  const known: Record<string, string> = {}
  return blocks.flatMap((block) => {
    let commands: ShellCommand[]
    try {
      commands = shellCommands(block.code, known)
    } catch (error) {
      return [`${at(block)}: ${(error as Error).message}`]
    }
    return commands.flatMap(({ words, line }) => {
      const problem = commandProblem(words, program)
      return problem === undefined ? [] : [`${block.page}:${block.line + 1 + line}: ${problem}`]
    })
  })
}

export function commandProblem(words: readonly string[], program: Command): string | undefined {
  const [name = '', ...args] = words
  if (name === 'ftl') return ftlProblem(program, args)
  if (name === 'npm') return npmProblem(args, program)
  if (name === 'npx') return npxProblem(args, program)
  if (name === 'node') return existing(args.find((word) => !word.startsWith('-')))
  if (name === 'curl') return args.some(isAddress) ? undefined : 'curl is given no address'
  return OTHERS.has(name) ? undefined : `nobody knows the command "${name}"`
}

const isAddress = (word: string): boolean => /^https?:\/\//.test(word)

function npmProblem([verb = '', ...args]: readonly string[], program: Command): string | undefined {
  if (['ci', 'install', 'i', 'publish'].includes(verb)) return undefined
  if (verb === 'create') {
    const known = /^ftl-tool(@latest)?$/.test(args[0] ?? '')
    return known ? undefined : `npm create ${args[0]} is none of ours`
  }
  if (verb === 'exec') {
    const name = args[args.indexOf('--') + 1]
    return name === 'create-ftl-tool' ? undefined : `npm exec ${name} is none of ours`
  }
  const script = verb === 'run' ? (args[0] ?? '') : verb
  if (verb !== 'run' && !['start', 'test'].includes(verb)) return `npm ${verb} is not known here`
  const own = manifest('package.json').scripts?.[script] ?? madeScripts()[script]
  if (own === undefined) return `there is no script "${script}"`
  const [first = '', ...rest] = own.split(' ')
  const separator = args.indexOf('--')
  const given = separator === -1 ? [] : args.slice(separator + 1)
  return first === 'ftl' ? ftlProblem(program, [...rest, ...given]) : undefined
}

function npxProblem(args: readonly string[], program: Command): string | undefined {
  const at = args.findIndex((word) => !/^(-y|--yes|--no)$/.test(word))
  const [name = '', ...rest] = args.slice(Math.max(at, 0))
  if (name === 'ftl') return ftlProblem(program, rest)
  if (name === '-c') {
    const inner = shellCommands(rest[0] ?? '').map(({ words }) => commandProblem(words, program))
    return inner.find((problem) => problem !== undefined)
  }
  const { dependencies, devDependencies } = manifest('package.json')
  const judges = manifest('test/judges/package.json').dependencies
  const installed = { ...dependencies, ...devDependencies, ...judges }
  return name in installed || FETCHED.has(name) ? undefined : `npx ${name} is not known here`
}

/** The scripts of the application that `npm create ftl-tool` makes. */
function madeScripts(): Record<string, string> {
  const files = applicationFiles('greet', templateOf('tool'), { rustCrate: '' })
  const { scripts = {} } = JSON.parse(files.get('package.json') ?? '') as Manifest
  return scripts
}

function manifest(path: string): Manifest {
  const file = join(REPOSITORY, path)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}

function existing(path: string | undefined): string | undefined {
  if (path === undefined) return 'node is given no file'
  return existsSync(join(REPOSITORY, path)) ? undefined : `there is no file ${path}`
}

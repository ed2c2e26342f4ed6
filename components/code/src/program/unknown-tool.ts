/** What a model most often gets wrong: the name of a tool. */
import { ProgramError } from './program-error.ts'

const IS_OF_A_NAME = /not a function|of undefined/
const USE =
  /\btools(?:\.([\w$]+)|\[(["'`])([^"'`]{1,200})\2\])(?:\.([\w$]+)|\[(["'`])([^"'`]{1,200})\5\])?/g
/** Names that are shown. */
const MOST_SHOWN = 10

/** Adds to the error of a missing function the name that does not exist, and the names that do. */
export function withToolHint(
  error: ProgramError,
  code: string,
  tools: readonly [component: string, tools: string[]][],
): ProgramError {
  if (error.name !== 'TypeError' || !IS_OF_A_NAME.test(error.message)) return error
  const hint = hintFor(code, new Map(tools))
  if (hint === undefined) return error
  return new ProgramError(error.name, `${error.message}. ${hint}`, error.place)
}

function hintFor(code: string, tools: ReadonlyMap<string, string[]>): string | undefined {
  for (const [, plain, , quoted, plainTool, , quotedTool] of code.matchAll(USE)) {
    const component = plain ?? quoted ?? ''
    const own = tools.get(component)
    if (!own) return `There is no tools.${component}: there are ${list([...tools.keys()])}`
    const tool = plainTool ?? quotedTool
    if (tool !== undefined && !own.includes(tool)) {
      return `There is no tools.${component}.${tool}: ${component} has ${list(own)}`
    }
  }
  return undefined
}

function list(names: string[]): string {
  if (names.length === 0) return 'none'
  const rest = names.length - MOST_SHOWN
  return names.slice(0, MOST_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Makes one script of a program, whichever form it has: statements with `return`, one expression, or a module. */
import { ProgramError } from './program-error.ts'
import type { Position } from './position.ts'
import { type Stripped, stripTypes } from './strip-types.ts'

/** Of the script in stacks. */
export const PROGRAM = 'program'

export interface Program {
  /** An async arrow function. */
  script: string
  /** The place in the code that the caller wrote. */
  original: (place: Position) => Position
}

/** @returns the error's text with a line `at program:1:2`, or `undefined`. */
export type SyntaxCheck = (script: string) => string | undefined

/** Of one line each, so that a line of the program is the next one of the script. */
const EXPRESSION = '(async()=>(\n'
const BODY = '(async()=>{\n'
const MODULE =
  '(async()=>{let exports={},require=(m)=>{throw new Error("a program cannot import "+m)};\n'
const MODULE_END = '\n;return exports.default})'

/** Statements that only a module has. */
const IS_MODULE = /^[ \t]*(?:export\b|import\b\s*[\w$*{'"])/m
/**
 * `f<T>(x)` is JavaScript too, but compares. Two patterns, because one would take the square of the time for a text that is
 * made for it.
 */
const OPENS = /[\w$]</
const CLOSES = /[^=]>\s*[(`]/

/** @throws {ProgramError} when it has a mistake of syntax. */
export function prepare(code: string, check: SyntaxCheck): Program {
  const isModule = IS_MODULE.test(code)
  if (!isModule && !(OPENS.test(code) && CLOSES.test(code))) {
    const script = asScript(code, check)
    if (script.error === undefined) return { script: script.text, original: withoutPrefix }
  }
  const stripped = stripTypes(code, isModule)
  const script = isModule
    ? checked(MODULE + stripped.code + MODULE_END, check)
    : asScript(stripped.code, check)
  const original = (place: Position) => stripped.original(withoutPrefix(place))
  if (script.error !== undefined) throw syntaxError(script.error, original)
  return { script: script.text, original }
}

const END = '; \t\r\n'

interface Script {
  text: string
  error?: string
}

function asScript(code: string, check: SyntaxCheck): Script {
  const expression = checked(`${EXPRESSION}${withoutEnd(code)}\n))`, check)
  return expression.error === undefined ? expression : checked(`${BODY}${code}\n})`, check)
}

/** Without the semicolons at its end; a pattern would take the square of the time for many of them. */
function withoutEnd(code: string): string {
  let end = code.length
  while (end > 0 && END.includes(code.charAt(end - 1))) end--
  return code.slice(0, end)
}

function checked(text: string, check: SyntaxCheck): Script {
  const error = check(text)
  return error === undefined ? { text } : { text, error }
}

const withoutPrefix = ({ line, column }: Position): Position => ({
  line: Math.max(1, line - 1),
  column,
})

const AT_PROGRAM = new RegExp(`\\(?\\b${PROGRAM}:(\\d+):(\\d+)`)

/** The place that a stack names first. */
export function placeIn(stack: string): Position | undefined {
  const [, line, column] = AT_PROGRAM.exec(stack) ?? []
  return line ? { line: Number(line), column: Number(column) } : undefined
}

function syntaxError(text: string, original: Stripped['original']): ProgramError {
  const [head = ''] = text.split('\n', 1)
  const place = placeIn(text)
  return new ProgramError(
    'SyntaxError',
    head.replace(/^SyntaxError: /, ''),
    place && original(place),
  )
}

/** Checks the types of a program, as the editor of its author would, with the TypeScript of the author's folder. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as TypeScript from 'typescript'
import { CommandFailure } from '../terminal/failure.ts'
import { PROGRAM_GLOBALS } from './program-globals.ts'

export interface Finding {
  /** From 1, in the program. */
  line: number
  column: number
  length: number
  message: string
}

export interface CheckOptions {
  /** `declare const tools: { … }` */
  declarations: string
  /** @default that of the working directory, else of this package */
  typescript?: typeof TypeScript
}

const [PROGRAM, GLOBALS, TOOLS] = ['/program.ts', '/globals.d.ts', '/tools.d.ts']

/** A body is checked in an async function, so that it may use `await` and `return`. */
const BODY = { before: 'async function program() {\n', after: '\n}\nexport {}\n' }
const EXPRESSION = { before: 'export default (\n', after: '\n)\n' }
const MODULE = { before: '\n', after: '\nexport {}\n' }

/** Statements that only a module has; as in the component that runs programs. */
const IS_MODULE = /^[ \t]*(?:export\b|import\b\s*[\w$*{'"])/m

/** @throws {CommandFailure} without TypeScript, or when the declarations themselves are wrong. */
export function checkProgram(
  code: string,
  { declarations, typescript: ts = findTypeScript() }: CheckOptions,
): Finding[] {
  const wraps = IS_MODULE.test(code) ? [MODULE] : [EXPRESSION, BODY]
  const [first, ...others] = wraps.map((wrap) => {
    const text = wrap === EXPRESSION ? code.trimEnd().replace(/;+$/, '') : code
    return check(ts, wrap.before + text + wrap.after, declarations)
  })
  // An expression that does not parse as one is a list of statements.
  const found = others.find(() => first?.isBroken) ?? first
  return found?.findings ?? []
}

/** The declarations of JavaScript itself, which take most of the time of a check. */
const libraries = new Map<string, TypeScript.SourceFile>()

function check(ts: typeof TypeScript, source: string, declarations: string) {
  const files = new Map([
    [PROGRAM, source],
    [GLOBALS, PROGRAM_GLOBALS],
    [TOOLS, declarations],
  ])
  const options: TypeScript.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const readFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, target, ...rest) => {
    const text = files.get(name)
    if (text !== undefined) return ts.createSourceFile(name, text, target)
    const library = libraries.get(name) ?? readFile(name, target, ...rest)
    if (library) libraries.set(name, library)
    return library
  }
  const program = ts.createProgram([...files.keys()], options, host)
  refuseBroken(ts, program)
  const file = program.getSourceFile(PROGRAM)
  const syntax = program.getSyntacticDiagnostics(file)
  const all = syntax.length > 0 ? syntax : program.getSemanticDiagnostics(file)
  const findings = all.map((each) => toFinding(ts, each, 1))
  return { findings, isBroken: syntax.length > 0 }
}

/** @param before lines of the file that are not the author's. */
function toFinding(
  ts: typeof TypeScript,
  diagnostic: TypeScript.Diagnostic,
  before: number,
): Finding {
  const { file, start = 0, length = 1, messageText } = diagnostic
  const place = file?.getLineAndCharacterOfPosition(start) ?? { line: 1, character: 0 }
  return {
    line: Math.max(1, place.line + 1 - before),
    column: place.character + 1,
    length,
    message: ts.flattenDiagnosticMessageText(messageText, '\n  '),
  }
}

function refuseBroken(ts: typeof TypeScript, program: TypeScript.Program): void {
  const file = program.getSourceFile(TOOLS)
  const [wrong] = [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]
  if (!wrong) return
  const { message, line } = toFinding(ts, wrong, 0)
  throw new CommandFailure(`the declarations of the tools are wrong in line ${line}: ${message}`)
}

function findTypeScript(): typeof TypeScript {
  for (const from of [join(process.cwd(), 'x.js'), import.meta.url]) {
    try {
      return createRequire(from)('typescript') as typeof TypeScript
    } catch {
      // Looked for in the next place.
    }
  }
  throw new CommandFailure(
    'checking types needs TypeScript. Install it in this folder: npm install --save-dev typescript',
  )
}

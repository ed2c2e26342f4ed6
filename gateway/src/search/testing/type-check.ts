/** Runs the TypeScript compiler on a text. */
import ts from 'typescript'

const FILE = '/text.ts'

/** Parsed once. */
const libraries = new Map<string, ts.SourceFile | undefined>()

interface TypeError {
  /** Characters before the place; -1 for an error that is not in the text. */
  at: number
  message: string
}

export function typeErrors(text: string): TypeError[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    lib: ['lib.es5.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  const exists = host.fileExists.bind(host)
  host.getSourceFile = (name, version) => {
    if (name === FILE) return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
    if (!libraries.has(name)) libraries.set(name, read(name, version))
    return libraries.get(name)
  }
  host.fileExists = (name) => name === FILE || exists(name)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([FILE], options, host))
    .map(({ file, start = 0, messageText }) => ({
      at: file?.fileName === FILE ? start : -1,
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }))
}

/** A value that is checked against a type. */
export interface Sample {
  /** The declarations that the type needs. */
  declarations: string
  type: string
  value: unknown
}

/** Whether the compiler accepts each value, found in one run. */
export function accepted(samples: readonly Sample[]): boolean[] {
  let text = ''
  const places = samples.map(({ declarations, type, value }, index) => {
    // Samples may have types of the same name.
    text += `namespace N${index} {\n${declarations}\ntype Sample = ${type}\n`
    const start = text.length
    text += `const value: Sample = ${valueText(value)}\n`
    const end = text.length
    text += '}\n'
    return { start, end }
  })
  const errors = typeErrors(text)
  const isIn = ({ at }: TypeError, { start, end }: { start: number; end: number }) =>
    at >= start && at < end
  const other = errors.find((error) => !places.some((place) => isIn(error, place)))
  if (other) {
    const around = text.slice(Math.max(0, other.at - 300), other.at + 100)
    throw new Error(`this is not a declaration: ${other.message}\n${around}`)
  }
  return places.map((place) => !errors.some((error) => isIn(error, place)))
}

/** `__proto__: 1` in an object literal would set its prototype. */
function valueText(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:')
}

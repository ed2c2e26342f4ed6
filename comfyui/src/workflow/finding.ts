/** Findings of the linter: location, problem and fix. */
import { type JsonNode, JsonTextError, lineAt, parseJsonText } from './json-text.ts'

export interface Finding {
  /** A tool with an error is left out; a warning has no effect on it. */
  severity: 'error' | 'warning'
  /** Path relative to the folder, for example `config/example.json`. */
  file: string
  /** From 1. */
  line: number
  /** The tool it is about, if known. */
  tool?: string
  message: string
  /** What to do. */
  fix: string
}

/** A file of `config/` or `workflows/`; `text` is `undefined` if it could not be read. */
export interface SourceFile {
  /** Path relative to the folder, for example `workflows/example.json`. */
  path: string
  text: string | undefined
}

/** Collects the findings of one file. */
export interface Reporter {
  path: string
  text: string
  findings: Finding[]
  tool?: string
  error: (at: number, message: string, fix: string) => void
  warn: (at: number, message: string, fix: string) => void
}

export function reporter({ path: file, text = '' }: SourceFile): Reporter {
  const add = (severity: Finding['severity'], at: number, message: string, fix: string) => {
    const { tool } = self
    const line = lineAt(text, at)
    self.findings.push({ severity, file, line, ...(tool !== undefined && { tool }), message, fix })
  }
  const self: Reporter = {
    path: file,
    text,
    findings: [],
    error: (at, message, fix) => add('error', at, message, fix),
    warn: (at, message, fix) => add('warning', at, message, fix),
  }
  return self
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

/** `config/a.json:3: error: … ; fix`. */
export function formatFinding({ severity, file, line, tool, message, fix }: Finding): string {
  const about = tool === undefined ? '' : ` tool "${tool}":`
  return `${file}:${line}: ${severity}:${about} ${message}; ${fix}`
}

/** Parses the JSON of a file; reports an error and returns `undefined` if it is unreadable or invalid. */
export function readJson({ text }: SourceFile, report: Reporter): JsonNode | undefined {
  if (text === undefined) {
    report.error(0, 'the file cannot be read', 'make it a readable file in UTF-8')
    return undefined
  }
  try {
    return parseJsonText(text)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    report.error(error.at, `not valid JSON: ${error.message}`, 'correct the JSON here')
    return undefined
  }
}

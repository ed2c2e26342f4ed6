/** Checks a whole configuration before it is served: every file, with the line and what to do. */
import { parseWorkflow, type Workflow, WorkflowError } from 'ftl-comfyui/workflow'
import type * as z from 'zod'
import { CONFIG_FILES, type ConfigFile, type RenderType } from '../config-schema.ts'
import { type Problem, readList } from 'ftl-comfyui/servers'
import { findTargets } from '../workflow/targets.ts'
import { JsonSyntaxError, lineOf, type Located, parseLocated } from './json-lines.ts'

export interface Finding {
  /** Below the mounts, for example `workflows/portrait.json`. */
  file: string
  /** From 1. */
  line: number
  /** What is wrong, and what to do about it. */
  message: string
}

export interface LintInput {
  /** Content by name, `config/…` and `workflows/…`. */
  files: Readonly<Record<string, string>>
  /** Variables the component has; absent: they are not checked. */
  variables?: readonly string[]
}

const RENDER_TYPES = 'config/render-types.json'

/** What is wrong with the configuration, by file and line; empty: nothing. */
export function lintConfiguration({ files, variables }: LintInput): Finding[] {
  const located = new Map<string, Located>()
  const findings: Finding[] = []
  for (const [file, text] of Object.entries(files)) {
    try {
      located.set(file, parseLocated(text))
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      findings.push({ file, line: error.line, message: `is not valid JSON: ${error.message}` })
    }
  }
  const problems: Problem[] = []
  for (const [file, { repeated }] of located) {
    for (const path of repeated) problems.push({ file, path, message: 'this key comes twice' })
  }
  if (files[RENDER_TYPES] === undefined) {
    problems.push({ file: RENDER_TYPES, path: [], message: 'is not there' })
  }
  const lists = Object.keys(CONFIG_FILES) as ConfigFile[]
  for (const name of lists) {
    const file = `config/${name}`
    if (!located.has(file)) continue
    const form: { key: string; entry: z.ZodType<{ name: string }> } = CONFIG_FILES[name]
    problems.push(...readList(file, form, files[file] ?? '').problems)
  }
  problems.push(...renderTypeProblems(files, located), ...serverProblems(files, located, variables))
  for (const { file, path, message } of problems) {
    const place = located.get(file)
    findings.push({ file, line: place ? lineOf(place, path) : 1, message: withKey(path, message) })
  }
  return findings.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
}

/** `styles/fantasy.json:3: …`, as editors and build logs understand it. */
export function formatFinding({ file, line, message }: Finding): string {
  return `${file}:${line}: ${message}`
}

function renderTypeProblems(files: LintInput['files'], located: Map<string, Located>): Problem[] {
  if (!located.has(RENDER_TYPES)) return []
  const problems: Problem[] = []
  for (const { entry, path } of readList(
    RENDER_TYPES,
    CONFIG_FILES['render-types.json'],
    files[RENDER_TYPES] ?? '',
  ).entries) {
    const file = `workflows/${entry.workflow}`
    if (files[file] === undefined) {
      const known = Object.keys(files).filter((name) => name.startsWith('workflows/'))
      const list = known.map((name) => `"${name.slice('workflows/'.length)}"`).join(', ')
      const message = `there is no ${file}; there is ${list || 'no workflow file at all'}`
      problems.push({ file: RENDER_TYPES, path: [...path, 'workflow'], message })
    } else if (located.has(file)) {
      problems.push(...workflowProblems(entry, path, file, located.get(file)?.value))
    }
  }
  return problems
}

function workflowProblems(
  renderType: RenderType,
  entry: (string | number)[],
  file: string,
  value: unknown,
): Problem[] {
  let workflow: Workflow
  try {
    workflow = parseWorkflow(value)
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    // A number that is too large has been reported with its own line.
    return /larger than/.test(error.message) ? [] : [{ file, path: [], message: error.message }]
  }
  // A wrapped workflow, {"prompt": {…}}, has its nodes one level further in.
  const within = workflow === value || !isWrapped(value) ? [] : ['prompt']
  return findTargets(workflow, renderType).problems.map(({ in: where, path, message }) =>
    where === 'workflow'
      ? {
          file,
          path: [...within, ...path],
          message: `for render type "${renderType.name}": ${message}`,
        }
      : { file: RENDER_TYPES, path: [...entry, ...path], message },
  )
}

function serverProblems(
  files: LintInput['files'],
  located: Map<string, Located>,
  variables: readonly string[] | undefined,
): Problem[] {
  const file = 'config/servers.json'
  if (!variables || !located.has(file)) return []
  return readList(file, CONFIG_FILES['servers.json'], files[file] ?? '').entries.flatMap(
    ({ entry: { auth }, path }) => {
      if (!auth || variables.includes(auth.variable)) return []
      const message = `the component has no variable "${auth.variable}"; declare it in spin.toml under [component.generate-image.variables]`
      return [{ file, path: [...path, 'auth', 'variable'], message }]
    },
  )
}

function isWrapped(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'prompt' in value
}

function withKey(path: readonly (string | number)[], message: string): string {
  const key = path.at(-1)
  return typeof key === 'string' ? `"${key}": ${message}` : message
}

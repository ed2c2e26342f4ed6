/** State of one validation: its findings, its current position and its limits. */
import type { Pattern } from './pattern/pattern.ts'

/** Which of the two schemas a tool publishes. */
export type SchemaSubject = 'inputSchema' | 'outputSchema'

/** The published schema itself is wrong or says what cannot be checked here. The message is safe to show. */
export class UnusableSchema extends Error {
  override readonly name = 'UnusableSchema'
  constructor(problem: string, subject: SchemaSubject = 'inputSchema') {
    super(`The tool's ${subject} cannot be used: ${problem}.`)
  }
}

export type Schema = Record<string, unknown>

/** The dialects of JSON Schema, as numbers that can be compared: drafts 6 and 7, then 2019(-09) and 2020(-12). */
export type Dialect = number

/** Names and indexes of the parts of a value that a schema has evaluated. */
export type Seen = Set<string | number>

/** A schema with an address of its own: the whole one, and each subschema with an `$id`. */
export interface Resource {
  readonly root: Schema
  uri: string
}

export interface Target {
  readonly schema: unknown
  readonly resource: Resource
}

/** Everything with an address, by `uri#anchor`; the resources also by the schema they begin with. */
export type Index = Map<unknown, Target>

/** The dynamic scope: the resources passed on the way to the current schema, innermost first. */
export interface Scope {
  readonly resource: Resource
  readonly outer?: Scope
}

/** One rule that one value breaks. */
export interface Finding {
  /** Path from the root: `size.width`, `items[0]`; empty for the root itself. */
  path: string
  /** The rule, for example `must be string`. */
  message: string
  /** The valid types, if the type is what is wrong. */
  types?: string
  /** Depth of the value below the root. */
  level: number
}

export interface Run {
  readonly subject?: SchemaSubject
  readonly dialect: Dialect
  readonly patterns: Map<string, Pattern>
  /** Path of the current value; changed in place. */
  readonly path: (string | number)[]
  /** Resource of the current schema. */
  scope: Scope
  /** Created when first needed. */
  index?: Index
  /** Set only if `unevaluated…` needs it. */
  seen?: Seen
  findings: Finding[]
  /** Number of findings after which the validation stops. */
  enough: number
  /** Number of nested schemas, and in `still` how many of these apply to the same value. */
  depth: number
  still: number
  /** Schemas applied so far. */
  steps: number
}

/** More findings would not help to correct the value. */
export const MAX_FINDINGS = 100

/**
 * Maximum characters of one name in a path, and of the values in a message. Otherwise a name of one megabyte would be
 * repeated in up to 100 messages.
 */
const MAX_SHOWN = 1_000

/** Maximum number of nested schemas. A component's stack was measured to hold 8000. */
const MAX_DEPTH = 500

/** Maximum number of nested schemas for one value; beyond it, the schema is treated as endlessly recursive. */
const MAX_STILL = 64

/**
 * Maximum number of schemas applied, about five seconds in a component. Nested combinations of forms could otherwise
 * run forever. Other work counts in fractions of a step: {@link UNIT}.
 */
export const MAX_STEPS = 200_000

/** A quarter of a microsecond in a component: one turn of a small loop. */
export const UNIT = 1 / 64

/** The value cannot be checked within the limits. */
export class TooMuch extends Error {}

export const TOO_DEEP = 'is nested too deeply to be checked'

export function unusable(run: Run, problem: string): UnusableSchema {
  return new UnusableSchema(problem, run.subject)
}

export function invalid(run: Run): UnusableSchema {
  return unusable(run, 'it is not a valid JSON Schema')
}

/** Whether enough findings are collected, so that the rest need not be checked. */
export function isDone(run: Run): boolean {
  return run.findings.length >= run.enough
}

/**
 * Records a broken rule.
 *
 * @param message `*` stands for `args`, as JSON.
 */
export function fail(run: Run, message: string, args?: readonly unknown[], types?: string): void {
  if (isDone(run)) return
  const { findings } = run
  let path = ''
  // Skip formatting the messages of trial forms: they are not shown, and formatting dominates the cost.
  if (run.enough > 1) {
    for (const key of run.path)
      path += typeof key === 'number' ? `[${key}]` : (path && '.') + shortened(key)
    if (args) message = message.replace('*', () => asList(args))
  }
  if (!findings.some((known) => known.path === path && known.message === message)) {
    findings.push({ path, message, types, level: run.path.length })
  }
}

/** Formats values as JSON, up to the maximum length of a message. */
function asList(values: readonly unknown[]): string {
  let list = ''
  for (const value of values) {
    if (list.length > MAX_SHOWN) return `${list}, …`
    const text = typeof value === 'string' ? shortened(value) : value
    list += (list && ', ') + shortened(JSON.stringify(text))
  }
  return list
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Runs `check` as a trial. @returns its first finding, or `undefined` when it succeeds. */
export function attempt(run: Run, check: () => void): Finding | undefined {
  const { findings, enough } = run
  run.findings = []
  run.enough = 1
  check()
  const [finding] = run.findings
  run.findings = findings
  run.enough = enough
  return finding
}

/** Counts work against {@link MAX_STEPS}. @throws {TooMuch} */
export function step(run: Run, steps = 1): void {
  run.steps += steps
  if (run.steps > MAX_STEPS) throw new TooMuch('takes too long to be checked')
}

/** Enters a nested schema; {@link leave} returns from it. @throws {TooMuch} {@link UnusableSchema} */
export function enter(run: Run): void {
  step(run)
  if (++run.still > MAX_STILL) throw unusable(run, 'it refers to itself without end')
  if (++run.depth > MAX_DEPTH) throw new TooMuch(TOO_DEEP)
}

export function leave(run: Run): void {
  run.still--
  run.depth--
}

/** @throws {UnusableSchema} when it is not a list. */
export function listIn(run: Run, value: unknown): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw invalid(run)
  return value
}

/** @throws {UnusableSchema} when it is not a list of strings. */
export function namesIn(run: Run, value: unknown): readonly string[] {
  const names = listIn(run, value)
  step(run, names.length * 4 * UNIT)
  return names.map((name) => {
    if (typeof name !== 'string') throw invalid(run)
    return name
  })
}

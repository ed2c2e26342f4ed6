/**
 * One validation under way: what was found, where it is now, and how far it may go.
 *
 * @module
 */
import type { Dialect } from './dialect.ts'
import type { Pattern } from './pattern/pattern.ts'
import type { Index, Resource } from './references.ts'
import { type SchemaSubject, UnusableSchema } from './unusable-schema.ts'

export type Schema = Record<string, unknown>

/** Names and indexes of the parts of a value that some schema has looked at. */
export type Seen = Set<string | number>

/** The resources gone through on the way to here, the innermost first. */
export interface Scope {
  readonly resource: Resource
  readonly outer?: Scope
}

/** One rule that one value breaks. */
export interface Finding {
  /** Where, from the root on: `size.width`, `items[0]`; empty for the root itself. */
  path: string
  /** The rule, for example `must be string`. */
  message: string
  /** The types that would have been right, when that is all that is wrong. */
  types?: string
  /** How many steps below the root the value is. */
  level: number
}

export interface Run {
  readonly subject?: SchemaSubject
  readonly dialect: Dialect
  readonly patterns: Map<string, Pattern>
  /** The way to the value that is looked at now; changed in place. */
  readonly path: (string | number)[]
  /** Where the schema that is applied now stands. */
  scope: Scope
  /** Made when it is first needed. */
  index?: Index
  /** Only there when `unevaluated…` will ask. */
  seen?: Seen
  findings: Finding[]
  /** So many findings are enough. */
  enough: number
  /** Schemas applied inside each other now, and how many of them to the same value. */
  depth: number
  still: number
  /** Schemas applied so far. */
  steps: number
}

/** More broken rules help nobody. */
export const MAX_FINDINGS = 100

/**
 * Characters of one name in a path, and of the values in a message. A caller may send a name of a megabyte, and it
 * would be in a hundred messages.
 */
const MAX_SHOWN = 1_000

/** Schemas applied inside each other. A component's stack has been seen to hold eight thousand. */
export const MAX_DEPTH = 500

/** Schemas applied to one value on the way to its parts: beyond that a schema refers to itself without end. */
const MAX_STILL = 64

/**
 * Schemas applied in all, about five seconds of a component. Forms that multiply would take for ever. Work besides
 * counts in parts of a step: {@link UNIT}.
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

/** Enough is found: whatever else may be wrong is of no interest. */
export function isDone(run: Run): boolean {
  return run.findings.length >= run.enough
}

/**
 * Notes a broken rule.
 *
 * @param message `*` stands for `args`, as JSON.
 */
export function fail(run: Run, message: string, args?: readonly unknown[], types?: string): void {
  if (isDone(run)) return
  const { findings } = run
  let path = ''
  // Of a form that was only tried nobody reads the words, and to write them is what costs.
  if (run.enough > 1) {
    for (const key of run.path)
      path += typeof key === 'number' ? `[${key}]` : (path && '.') + shortened(key)
    if (args) message = message.replace('*', () => inWords(args))
  }
  if (!findings.some((known) => known.path === path && known.message === message)) {
    findings.push({ path, message, types, level: run.path.length })
  }
}

/** Values as JSON, as many as a message can take. */
function inWords(values: readonly unknown[]): string {
  let words = ''
  for (const value of values) {
    if (words.length > MAX_SHOWN) return `${words}, …`
    const text = typeof value === 'string' ? shortened(value) : value
    words += (words && ', ') + shortened(JSON.stringify(text))
  }
  return words
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** @returns the first thing that is wrong when `look` is only a try; nothing when it succeeds. */
export function attempt(run: Run, look: () => void): Finding | undefined {
  const { findings, enough } = run
  run.findings = []
  run.enough = 1
  look()
  const [finding] = run.findings
  run.findings = findings
  run.enough = enough
  return finding
}

/** Counts what was done. @throws {TooMuch} */
export function step(run: Run, steps = 1): void {
  run.steps += steps
  if (run.steps > MAX_STEPS) throw new TooMuch('takes too long to be checked')
}

/** Goes into a schema; {@link leave} comes back. @throws {TooMuch} {@link UnusableSchema} */
export function enter(run: Run): void {
  step(run)
  if (++run.still > MAX_STILL) throw unusable(run, 'it refers to itself without end')
  if (++run.depth > MAX_DEPTH) throw new TooMuch(TOO_DEEP)
}

export function leave(run: Run): void {
  run.still--
  run.depth--
}

/** @throws {UnusableSchema} when it is no list. */
export function listIn(run: Run, value: unknown): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw invalid(run)
  return value
}

/** @throws {UnusableSchema} when it is no list of strings. */
export function namesIn(run: Run, value: unknown): readonly string[] {
  const names = listIn(run, value)
  step(run, names.length * 4 * UNIT)
  return names.map((name) => {
    if (typeof name !== 'string') throw invalid(run)
    return name
  })
}

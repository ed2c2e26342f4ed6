/** A rule of the component contract, with a check that runs against a component. */
import type { Subject } from './subject.ts'

/** The document with the rules. */
export const CONTRACT = 'docs/component-contract.md'

export type Section = 'description-get-' | 'requests' | 'progress-and-log-messages' | 'jobs'

export interface Check {
  /** Stays the same from version to version: `call.unknown-tool`. */
  id: string
  /** The rule, as a statement that is true of a component that passes. */
  rule: string
  /** Heading of {@link CONTRACT}. */
  section: Section
  /** How to fix a violation. */
  fix: string
  /** @throws {Violation} {@link NotApplicable} {@link NoAnswer} */
  run(subject: Subject): Promise<void>
}

/** The component violates the rule. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

/** The component has nothing to check; the message says why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** The component did not respond. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export interface Verdict {
  id: string
  rule: string
  /** Link to the rule. */
  section: string
  verdict: 'pass' | 'fail' | 'skipped'
  /** What the component did, or why the check was skipped. */
  reason?: string
  /** How to fix a violation; only for `fail`. */
  fix?: string
}

/** @throws {Violation} if `problems` is not empty. */
export function assertNone(problems: readonly string[]): void {
  const [first, ...more] = problems
  if (first === undefined) return
  throw new Violation(more.length === 0 ? first : `${first} (and ${more.length} more like it)`)
}

export async function judge(check: Check, subject: Subject): Promise<Verdict> {
  const { id, rule, fix } = check
  const section = `${CONTRACT}#${check.section}`
  try {
    await check.run(subject)
    return { id, rule, section, verdict: 'pass' }
  } catch (error) {
    if (error instanceof NotApplicable) {
      return { id, rule, section, verdict: 'skipped', reason: error.message }
    }
    if (!(error instanceof Violation || error instanceof NoAnswer)) throw error
    return { id, rule, section, verdict: 'fail', reason: error.message, fix }
  }
}

/** One rule of the component contract, as something that can be tried on a running component. */
import type { Subject } from './subject.ts'

/** Where the rules are written. */
export const CONTRACT = 'docs/component-contract.md'

export type Section = 'description-get-' | 'requests' | 'progress-and-log-messages' | 'jobs'

export interface Check {
  /** Stays the same from version to version: `call.unknown-tool`. */
  id: string
  /** What is true of a component that passes. */
  holds: string
  /** Heading of {@link CONTRACT}. */
  section: Section
  /** What to do about a failure. */
  todo: string
  /** @throws {Broken} {@link NotApplicable} {@link NoAnswer} */
  run(subject: Subject): Promise<void>
}

/** The component does not do what the check says. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** There is nothing the check could be tried on, and why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** A request was not answered. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export interface Verdict {
  id: string
  holds: string
  /** Address of the rule. */
  section: string
  verdict: 'pass' | 'fail' | 'skipped'
  /** What was seen, or why it was not tried. */
  reason?: string
  /** Of a failure. */
  todo?: string
}

/** @throws {Broken} when there is something in `problems`. */
export function assertNone(problems: readonly string[]): void {
  const [first, ...more] = problems
  if (first === undefined) return
  throw new Broken(more.length === 0 ? first : `${first} (and ${more.length} more like it)`)
}

export async function judge(check: Check, subject: Subject): Promise<Verdict> {
  const { id, holds, todo } = check
  const section = `${CONTRACT}#${check.section}`
  try {
    await check.run(subject)
    return { id, holds, section, verdict: 'pass' }
  } catch (error) {
    if (error instanceof NotApplicable) {
      return { id, holds, section, verdict: 'skipped', reason: error.message }
    }
    if (!(error instanceof Broken || error instanceof NoAnswer)) throw error
    return { id, holds, section, verdict: 'fail', reason: error.message, todo }
  }
}

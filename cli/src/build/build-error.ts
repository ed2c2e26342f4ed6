/** Components could not be built. Each problem names its file, line and column where they are known. */
import { namedFor } from './hints.ts'
import { visibleLines } from '../terminal/visible-text.ts'

/** Characters kept of one problem: a module may throw a message of a megabyte. */
const LONGEST = 8_000

export class BuildError extends Error {
  override readonly name = 'BuildError'
  readonly component: string
  /** Safe to print. */
  readonly problems: readonly string[]
  /** Files that may mend it when they change, as far as they are known. */
  readonly inputs: readonly string[]

  constructor(component: string, problems: readonly string[], inputs: readonly string[] = []) {
    const shown = problems.map((problem) => printable(namedFor(component, problem)))
    super(`component "${component}" could not be built:\n${shown.join('\n')}`)
    this.component = component
    this.problems = shown
    this.inputs = inputs
  }
}

/** Several components could not be built, and all others were. */
export class BuildErrors extends Error {
  override readonly name = 'BuildErrors'
  readonly errors: readonly BuildError[]

  constructor(errors: readonly BuildError[]) {
    super(errors.map(({ message }) => message).join('\n\n'))
    this.errors = errors
  }
}

/** A source can put anything into the message of its error, also commands for a terminal. */
function printable(problem: string): string {
  const cut =
    problem.length <= LONGEST
      ? problem
      : `${problem.slice(0, LONGEST)}… (${problem.length - LONGEST} more characters)`
  return visibleLines(cut)
}

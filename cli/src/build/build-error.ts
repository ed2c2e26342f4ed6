/** A component could not be built. Each problem names its file, line and column where they are known. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
  readonly component: string
  readonly problems: readonly string[]
  constructor(component: string, problems: readonly string[]) {
    super(`component "${component}" could not be built:\n${problems.join('\n')}`)
    this.component = component
    this.problems = problems
  }
}

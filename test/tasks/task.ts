/** A task for a model, and what a model that makes no mistake does about it. */
export interface Task {
  name: string
  /** What the user asks. */
  prompt: string
  /** What a model searches for, by the tool that it hopes to find. */
  needs: Readonly<Record<string, string>>
  /** By calls of tools. @returns the answer to the user */
  calls: (round: Round) => Promise<string>
  /** By programs. */
  code: (run: Run) => Promise<string>
  /** The answer that is right, calculated without tools. */
  truth(): string
  /** What must have changed, in any order. @default nothing */
  changes?(): string[]
}

/** One request of the model: calls that do not depend on one another. @returns their results */
export type Round = <T>(...calls: [tool: string, args: object][]) => Promise<T[]>

/** One request of the model: a program. @returns its result */
export type Run = <T>(program: string) => Promise<T>

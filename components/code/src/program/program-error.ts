import type { Position } from './position.ts'

/** What a program did wrong, with its own line. */
export class ProgramError extends Error {
  readonly place: Position | undefined
  /** `component.tool` of the call that failed. */
  readonly tool: string | undefined
  readonly code: string | undefined

  constructor(
    name: string,
    message: string,
    place?: Position,
    { tool, code }: { tool?: string; code?: string } = {},
  ) {
    super(message)
    this.name = name
    this.place = place
    this.tool = tool
    this.code = code
  }
}

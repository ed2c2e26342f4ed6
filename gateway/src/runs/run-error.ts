/** A request of a run that has no result. README.md lists the codes. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

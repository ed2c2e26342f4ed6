/** The cases of `fermyon:spin/variables.error` in their order; each carries a text. */
export const VARIABLE_ERRORS = ['invalid-name', 'undefined', 'provider', 'other'] as const

export type VariableErrorCode = (typeof VARIABLE_ERRORS)[number]

/** Why a component gets no value for a variable. The message goes to the guest. */
export class VariableError extends Error {
  override readonly name = 'VariableError'
  readonly code: VariableErrorCode

  constructor(code: VariableErrorCode, message: string) {
    // Components query optional variables with every request, and the stack is never read: collecting it through the
    // guest's frames costs more than the rest of the call.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
  }
}

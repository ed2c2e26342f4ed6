/** An error for the log. The engine of a component leaves name and message out of the stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack = '' } = error
  return stack.includes(message) && message !== '' ? stack : `${name}: ${message}\n${stack}`
}

/** Its message alone, for errors that are expected. */
export function messageOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error
}

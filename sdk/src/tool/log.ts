/** The component's log keeps what a caller must not see: messages of foreign code may hold paths and secrets. */

export function logError(what: string, error: unknown): void {
  console.error(`${what}: ${describeError(error)}`)
}

// The engine of a component leaves name and message out of the stack.
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack = '' } = error
  return stack.includes(message) && message !== '' ? stack : `${name}: ${message}\n${stack}`
}

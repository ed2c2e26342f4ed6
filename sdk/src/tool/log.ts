/** The component's log keeps what a caller must not see: messages of foreign code may hold paths and secrets. */

import { describeThrown } from './describe-thrown.ts'

export function logError(what: string, error: unknown): void {
  console.error(`${what}: ${describeError(error)}`)
}

// The engine of a component leaves name and message out of the stack.
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `${describeThrown(error)} was thrown`
  const { name, message, stack = '' } = error
  const text = stack.includes(message) && message !== '' ? stack : `${name}: ${message}\n${stack}`
  return text.trimEnd()
}

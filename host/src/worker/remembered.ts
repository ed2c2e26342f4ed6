/** Remembers variables and stores by name: most requests of a component read the same ones. */
import { VariableError } from '../variables/variable-error.ts'

/**
 * Values of variables, and stores, do not change while a worker lives, and most requests ask for the same ones.
 * Names come from the guest: those that the component does not have throw, so only names of the manifest are kept.
 */
export function remembered<T>(find: (name: string) => T): (name: string) => T {
  const found = new Map<string, T>()
  return (name) => {
    const known = found.get(name)
    if (known !== undefined) return known
    const value = find(name)
    found.set(name, value)
    return value
  }
}

/** More than the optional variables that any component asks for. */
const MISSING = 64

/**
 * The same for the first {@link MISSING} variables that a component does not have: it asks for most of its optional ones
 * in every request, and an error that is thrown through the guest's frames takes ten times as long.
 */
export function optional(find: (name: string) => string): (name: string) => string | VariableError {
  const known = remembered(find)
  const missing = new Map<string, VariableError>()
  return (name) => {
    const error = missing.get(name)
    if (error) return error
    try {
      return known(name)
    } catch (error) {
      const isMissing = error instanceof VariableError && error.code === 'undefined'
      if (!isMissing || missing.size >= MISSING) throw error
      missing.set(name, error)
      return error
    }
  }
}

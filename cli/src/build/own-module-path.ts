import { fileURLToPath } from 'node:url'

/** Path of a module that is installed with this command. */
export function own(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier))
}

import { pathToFileURL } from 'node:url'

/** See the options of the same names of `HostOptions`. */
interface WorkerModules {
  workerProgram?: string | undefined
  workerImports?: readonly string[] | undefined
}

/** @returns `undefined` for the modules of this package: only those share what the imports of a worker change. */
export function workerProgramUrl({
  workerProgram,
  workerImports = [],
}: WorkerModules): string | undefined {
  if (workerProgram === undefined || workerImports.length > 0) return undefined
  return pathToFileURL(workerProgram).href
}

/**
 * What only this folder installs: clients, suites and libraries that tests of the nightly run compare with or try.
 *
 * `npm run test:nightly` installs it. Its types are not there for the rest of the repository, so a test says what it uses.
 */
import { join } from 'node:path'
import { requireInstalled } from '../../scripts/side-packages.ts'

/** Uses of libraries are copied to a folder in it, so that their imports lead here. */
export const JUDGES = import.meta.dirname

/** @throws {Error} that says what to run, if the packages are not installed. */
export async function importJudge<Module>(specifier: string): Promise<Module> {
  requireInstalled('test/judges')
  // From this module, so that the specifier leads to the packages of this folder.
  return (await import(specifier)) as Module
}

/** Path of a file of an installed package, or of a program in `.bin`. */
export function judgeFile(path: string): string {
  requireInstalled('test/judges')
  return join(JUDGES, 'node_modules', path)
}

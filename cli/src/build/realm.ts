import { relative } from 'node:path'
import type { Metafile } from 'esbuild'
import { BuildError } from './build-error.ts'

/** The engine's second runtime, in which the component `code` runs programs. */
const REALM = 'ftl:engine/realm'

/**
 * Programs of models run in a component of their own: a program that takes over its sandbox, or fills its memory, would
 * do so to the gateway and to every other tool.
 *
 * @throws {BuildError} naming the module that makes the runtime.
 */
export function refuseRealm(id: string, inputs: Metafile['inputs']): void {
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (!imports.some(({ path }) => path === REALM)) continue
    const name = relative(process.cwd(), file)
    throw new BuildError(id, [
      `${name} runs programs of models, which needs a component of its own: a program that takes over its sandbox would have the ` +
        'rights and the memory of all members. Leave this component out: with --single, name the others.',
    ])
  }
}

/** Components that do not build, the reasons, and the stand-ins that are served in their place. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from 'ftl-host'
import type { BuildTarget } from '../build/index.ts'
import type { Application } from '../application/load-application.ts'
import { DEV_PLACES } from './source-places.ts'
import { DEV_COMPONENT, DEV_PROBLEM } from './stand-in/names.ts'

export type Overrides = NonNullable<HostOptions['overrides']>

/** Characters of the whole message for a caller. */
const LONGEST = 8_000

/** The entry is beside this file, also where the package is built to JavaScript. */
const ENTRY = fileURLToPath(
  new URL(`./stand-in/component${import.meta.url.slice(-3)}`, import.meta.url),
)

/** Name of the stand-in during its build. No component of an application can have this name. */
export const STAND_IN = 'ftl.stand-in'

export function standIn({ cacheFolder }: Application): BuildTarget {
  return { id: STAND_IN, entry: ENTRY, output: join(cacheFolder, 'stand-in.wasm') }
}

export class Broken {
  readonly #problems = new Map<string, string>()

  get ids(): ReadonlySet<string> {
    return new Set(this.#problems.keys())
  }

  /** @returns whether this is another problem than before. */
  add(component: string, problems: readonly string[]): boolean {
    const text = problems.join('\n')
    const isNew = this.#problems.get(component) !== text
    this.#problems.set(component, text)
    return isNew
  }

  /** @returns whether it was broken. */
  mended(component: string): boolean {
    return this.#problems.delete(component)
  }

  /** The reason, for callers, why each component is not served. Includes components that were never built. */
  reasons(application: Application): Map<string, string> {
    const { components, folder } = application.manifest
    const reasons = new Map<string, string>()
    for (const { id, source } of components.values()) {
      const problem = this.#problems.get(id)
      if (problem !== undefined) reasons.set(id, `${id} does not build: ${problem}`)
      else if (typeof source === 'string' && !existsSync(resolve(folder, source))) {
        reasons.set(id, `${id} cannot be served: ${source} does not exist`)
      }
    }
    return reasons
  }
}

/** @param places what each component needs to name lines of its sources. */
export function overridesOf(
  reasons: ReadonlyMap<string, string>,
  places: ReadonlyMap<string, string>,
  application: Application,
): Overrides {
  const source = standIn(application).output
  return Object.fromEntries([
    ...[...places].map(([id, text]) => [id, { variables: { [DEV_PLACES]: text } }]),
    ...[...reasons].map(([id, reason]) => {
      const variables = { [DEV_COMPONENT]: id, [DEV_PROBLEM]: reason.slice(0, LONGEST) }
      return [id, { source, variables }]
    }),
  ]) as Overrides
}

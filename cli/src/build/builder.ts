/** What makes a component of a bundle: one builder for each JavaScript engine. */
import type { Bundle } from './bundle.ts'
import type { Withheld } from './withheld.ts'
import type { WitWorld } from './world.ts'

/** The JavaScript engines a component can have. */
export const ENGINES = ['starlingmonkey', 'quickjs'] as const

export type EngineName = (typeof ENGINES)[number]

export const DEFAULT_ENGINE: EngineName = 'quickjs'

export function isEngine(value: unknown): value is EngineName {
  return (ENGINES as readonly unknown[]).includes(value)
}

export interface BuilderInput {
  /** The component's name in `spin.toml`. */
  id: string
  made: Bundle
  wit: WitWorld
  /** Interfaces that the component must not import. @default none */
  withheld?: readonly Withheld[]
  /** A folder of its own for this build, removed afterwards. */
  folder: string
  /** Called with each problem that does not stop the build and may be a mistake. */
  onWarning: (warning: string) => void
}

export interface Builder {
  /** Changes when the same bundle would become another component. */
  version(): Promise<string>
  /** @throws {Error} whose message is what the engine has said; frames name the bundle as `ID.js:LINE:COLUMN`. */
  build(input: BuilderInput): Promise<Uint8Array>
}

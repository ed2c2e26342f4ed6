/** What `ftl dev` and the process that builds for it tell each other. Everything here can be sent as JSON. */
import type { BuildEvent, BuildTarget } from '../build/index.ts'

export interface BuildRequest {
  targets: BuildTarget[]
  cacheFolder: string
  /** As the host has it: what it will need is prepared too. */
  maxInstanceMemory: number | undefined
  runtimeConfigFile: string | undefined
}

export interface BuildDone {
  type: 'done'
  /** Source files of each component. */
  inputs: [id: string, files: string[]][]
  /** Components whose `.wasm` is another than before. */
  changed: string[]
  /** What a component needs to name the lines of its sources. */
  places: [id: string, text: string][]
  /** What could not be built; everything else was. */
  failed: ComponentFailure[]
  /** Milliseconds from the request until all was built, and until it was prepared. */
  builtMs: number
  preparedMs: number
}

/** Why a component cannot be served as its author wrote it. */
export interface ComponentFailure {
  component: string
  /** Safe to print. */
  problems: string[]
}

/** The build itself failed, not a component. */
export interface BuildFailed {
  type: 'failed'
  problem: string
}

export type BuildMessage = { type: 'event'; event: BuildEvent } | BuildDone | BuildFailed

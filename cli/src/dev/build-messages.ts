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
  /** Milliseconds from the request until all was built, and until it was prepared. */
  builtMs: number
  preparedMs: number
}

export interface BuildFailed {
  type: 'failed'
  /** The component, where it is one that could not be built. */
  component: string | undefined
  problems: string[]
}

export type BuildMessage = { type: 'event'; event: BuildEvent } | BuildDone | BuildFailed

/**
 * What a test and the process that runs its built components tell each other: a line of JSON each, over standard input
 * and output. The other side is `sdk/src/testing/built`, and both have the same version.
 */

/** Bytes in base 64, by key; of each store, by label. */
export type Stores = Record<string, Record<string, string>>

/** Which component to build. */
export interface Wanted {
  /** Folder of the test run: `spin.toml` is looked for there and above. */
  folder: string
  /** Its id in `spin.toml`. @default the one that publishes all of `tools` */
  component?: string
  /** Absolute path of a module to build instead of a component of `spin.toml`. */
  entry?: string
  /** Names of the tools that the test has. */
  tools: string[]
}

/** The world around the component. */
export interface World {
  /** The component's id while it runs. */
  name: string
  variables: Record<string, string>
  /** Path to content, in base 64. */
  files: Record<string, string>
  stores: Stores
  /** Milliseconds since 1970. */
  now: number
  /** Ids that were drawn before. */
  drawn: number
  /** Where requests of the component go. */
  proxy: { host: string; port: number }
}

export interface Requests {
  build: { ask: Wanted; answer: { wasm: string; component: string } }
  start: { ask: { wasm: string; world: World }; answer: { key: string; url: string } }
  /** Sets the clock and the entries that the test has changed; `null` removes one. */
  set: {
    ask: { key: string; now: number; stores: Record<string, Record<string, string | null>> }
    answer: null
  }
  /** @param waitMs how long to wait for work after the response. */
  state: {
    ask: { key: string; waitMs: number }
    answer: { stores: Stores; drawn: number; running: number }
  }
  stop: { ask: { key: string }; answer: null }
}

export type Kind = keyof Requests

export type Ask = { [K in Kind]: { id: number; kind: K; ask: Requests[K]['ask'] } }[Kind]

export type FromProcess =
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'failed'; id: number; message: string }
  /** Progress of a build, for the author. */
  | { type: 'progress'; text: string }
  /** What the component printed, with places in its sources. */
  | { type: 'line'; key: string; stream: 'stdout' | 'stderr'; line: string }

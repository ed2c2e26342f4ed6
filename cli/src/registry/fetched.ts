/** What a source has given, before anything of it is believed. */

export interface Fetched {
  wasm: Uint8Array
  /** What the package says; `undefined` for a plain file. */
  about: unknown
  /** Beside the package. */
  signature: unknown
  /** Exact: with the version or digest that was fetched. */
  source: string
  version: string
  /** Sentences about checks that the source itself allowed. */
  checks: string[]
}

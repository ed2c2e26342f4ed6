/** What a source has given, before anything of it is believed. */

import type { Asked } from './refuse-other-package.ts'
import type { Attestation, RegistryKey } from './sigstore/verify-bundle.ts'

export interface Fetched {
  wasm: Uint8Array
  /** What the package says; `undefined` for a plain file. */
  about: unknown
  /** Beside the package: a publisher may have several keys. */
  signatures: readonly unknown[]
  /** Signatures and bundles that the registry lists, and that could not be read. */
  unreadSignatures: number
  /** Sigstore bundles about it, and keys that the registry publishes for them. */
  attestations: Attestation[]
  registryKeys: RegistryKey[]
  /** Exact: with the version or digest that was fetched. */
  source: string
  version: string
  /** What the package in it must be; empty for a plain file. */
  asked: Asked
  /** Sentences about checks that the source itself allowed. */
  checks: string[]
}

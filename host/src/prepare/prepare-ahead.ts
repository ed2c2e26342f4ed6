/**
 * Preparing a component before a host asks for it, in another process than the host's: it takes half a second of a thread.
 */
import {
  loadRuntimeConfig,
  parseRuntimeConfig,
  type RuntimeConfig,
} from '../runtime-config/runtime-config.ts'
import { prepare } from './prepare.ts'

/** The limit of Akamai Functions. */
const DEFAULT_MEMORY = 128 * 1024 * 1024

/** Bytes an instance may take; part of what is prepared. */
export function memoryLimitOf(
  { maxInstanceMemory }: { maxInstanceMemory?: number | undefined },
  config: Pick<RuntimeConfig, 'maxInstanceMemory'>,
): number {
  return maxInstanceMemory ?? config.maxInstanceMemory ?? DEFAULT_MEMORY
}

/** Which component is prepared, and where the result is kept. */
export interface PrepareAheadOptions {
  /** For error messages. */
  component: string
  /** Absolute path of the `.wasm`. */
  source: string
  /** The host's folder of prepared modules. */
  cacheDir: string
  /** As the host is given it. */
  maxInstanceMemory?: number | undefined
  runtimeConfigFile?: string | undefined
}

/** Puts what a host will need into its cache. @throws {PrepareError} */
export async function prepareAhead({
  runtimeConfigFile,
  maxInstanceMemory,
  ...place
}: PrepareAheadOptions): Promise<void> {
  const config =
    runtimeConfigFile === undefined
      ? parseRuntimeConfig('', '')
      : await loadRuntimeConfig(runtimeConfigFile)
  await prepare({ ...place, memoryLimit: memoryLimitOf({ maxInstanceMemory }, config) })
}

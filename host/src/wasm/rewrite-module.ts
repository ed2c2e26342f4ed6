/** What the host changes of each core module: limits of its memory and its tables, and where it can, resetting. */
import { BinaryError } from './binary.ts'
import { limitMemory } from './limit-memory.ts'
import { limitTables, ownTables, tableShare } from './limit-tables.ts'
import { makeResettable } from './make-resettable.ts'
import { exportNames } from './module-shape.ts'
import { RESERVED } from './added-exports.ts'
import { NotResettable } from './scan-code.ts'

export interface Rewritten {
  bytes: Buffer
  /** Why the module got a memory limit only, and serves each request from a fresh instance. */
  notResettable: string | undefined
}

/**
 * @param memoryLimit bytes an instance may take.
 * @throws {BinaryError} when the module cannot be run at all.
 */
export function rewriteModule(module: Uint8Array, memoryLimit: number): Rewritten {
  const reserved = exportNames(module).find((name) => name.startsWith(RESERVED))
  if (reserved) throw new BinaryError(`exports "${reserved}", a name this host keeps for itself`)
  const limited = limitMemory(limitTables(module, tableShare(ownTables(module))), memoryLimit)
  try {
    return { bytes: makeResettable(limited), notResettable: undefined }
  } catch (error) {
    if (!(error instanceof NotResettable)) throw error
    return { bytes: limited, notResettable: error.message }
  }
}

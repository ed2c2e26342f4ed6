/**
 * `wasi:random/{random,insecure,insecure-seed}`: random bytes for guests, from Node's generator; the insecure ones, too.
 *
 * A guest asks for sixteen bytes with nearly every request, and Node's generator takes longer to start than to fill a
 * thousand. So bytes are made ahead; each is given out once and then overwritten.
 */
import { randomBytes as fromNode, randomFillSync } from 'node:crypto'
import type { Guest } from './guest.ts'
import type { ImportFunction } from './jspi.ts'
import { Trap } from './trap.ts'

/** Random bytes a guest may ask for at once. */
export const RANDOM_LIMIT = 16 * 1024 * 1024

/** Bytes made ahead. */
const POOL_BYTES = 4096

/** More at once than this is not taken from the pool. */
const SMALL = 256

const pool = new Uint8Array(POOL_BYTES)
let next = POOL_BYTES

/** @param length not negative. */
export function randomBytes(length: number): Uint8Array {
  if (length > SMALL) return fromNode(length)
  if (next + length > POOL_BYTES) {
    randomFillSync(pool)
    next = 0
  }
  const bytes = pool.slice(next, next + length)
  // A later leak of this memory must not tell what a guest was given before.
  pool.fill(0, next, next + length)
  next += length
  return bytes
}

export function randomU64(): bigint {
  return new DataView(randomBytes(8).buffer).getBigUint64(0)
}

/** Bytes of a UUID. */
const ID_BYTES = 16n

export function randomImports({ memory, services }: Guest): Record<string, ImportFunction> {
  return {
    'get-random-bytes': (length: bigint, ret: number) => {
      if (length < 0n || length > RANDOM_LIMIT) throw new Trap('too many random bytes at once')
      const id = length === ID_BYTES ? services.randomId?.() : undefined
      memory.setBytes(ret, id ?? randomBytes(Number(length)))
    },
    'get-random-u64': randomU64,
  }
}

export function insecureRandomImports(
  guest: Guest,
): Record<string, Record<string, ImportFunction>> {
  const { memory } = guest
  const { 'get-random-bytes': bytes = () => undefined, 'get-random-u64': u64 = () => undefined } =
    randomImports(guest)
  return {
    'wasi:random/insecure': { 'get-insecure-random-bytes': bytes, 'get-insecure-random-u64': u64 },
    'wasi:random/insecure-seed': {
      'insecure-seed': (ret: number) => {
        memory.setU64(ret, randomU64())
        memory.setU64(ret + 8, randomU64())
      },
    },
  }
}

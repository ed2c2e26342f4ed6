/**
 * Random bytes for guests, from Node's generator.
 *
 * A guest asks for sixteen bytes with nearly every request, and Node's generator takes longer to start than to fill a
 * thousand. So bytes are made ahead; each is given out once and then overwritten.
 */
import { randomBytes as fromNode, randomFillSync } from 'node:crypto'

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

/** Random numbers of `node:crypto`, all from the host. */
import { Buffer } from './buffer.ts'

/** What one call of `getRandomValues` fills at most. */
const PIECE = 65_536

type Callback<T> = (error: Error | null, value: T) => void

/** Returns the value, or passes it to the callback, as Node does. */
function give<T>(value: T, callback: Callback<T> | undefined): T | undefined {
  if (!callback) return value
  queueMicrotask(() => callback(null, value))
  return undefined
}

function fill(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PIECE) {
    crypto.getRandomValues(bytes.subarray(at, at + PIECE) as Uint8Array<ArrayBuffer>)
  }
}

export function randomBytes(size: number, callback?: Callback<Buffer>): Buffer | undefined {
  const bytes = Buffer.alloc(size)
  fill(bytes)
  return give(bytes, callback)
}

export function randomFillSync<T extends ArrayBufferView>(view: T, offset = 0, size?: number): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  fill(bytes.subarray(offset, size === undefined ? undefined : offset + size))
  return view
}

export function randomFill<T extends ArrayBufferView>(view: T, ...rest: unknown[]): void {
  const callback = rest.pop() as Callback<T>
  const [offset, size] = rest as number[]
  give(randomFillSync(view, offset, size), callback)
}

/** The largest multiple of the range is the limit, so that each number is as likely as any other. */
export function randomInt(first: number, ...rest: unknown[]): number | undefined {
  const callback = typeof rest.at(-1) === 'function' ? (rest.pop() as Callback<number>) : undefined
  const [low, high] = typeof rest[0] === 'number' ? [first, rest[0]] : [0, first]
  const range = high - low
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || range <= 0 || range > 2 ** 48) {
    throw new RangeError(
      'randomInt needs two safe integers, the second one greater by at most 2 ** 48',
    )
  }
  const limit = 2 ** 48 - (2 ** 48 % range)
  const bytes = Buffer.alloc(6)
  let number: number
  do {
    fill(bytes)
    number = bytes.readUIntBE(0, 6)
  } while (number >= limit)
  return give(low + (number % range), callback)
}

export const randomUUID = (): string => crypto.randomUUID()

/**
 * How a component asks our host to write an entry on a condition. `fermyon:spin/key-value` has no such operation, so the
 * key and the value of a `set` say it; see `host/src/kv/conditional-write.ts`.
 */
import { KeyValueError } from './platform.ts'

const PREFIX = 'ftl:if:'

/** The length of the expected value precedes it; this one means that there must be no entry. */
const ABSENT = 0xffff_ffff
const HEAD = 4

/** The key and the value to `set`. */
export function conditionalWrite(
  key: string,
  expected: Uint8Array | undefined,
  value: Uint8Array,
): [key: string, value: Uint8Array] {
  const size = expected?.length ?? 0
  const bytes = new Uint8Array(HEAD + size + value.length)
  new DataView(bytes.buffer).setUint32(0, expected ? size : ABSENT)
  if (expected) bytes.set(expected, HEAD)
  bytes.set(value, HEAD + size)
  return [PREFIX + key, bytes]
}

/** Whether the host did not write because the entry is another one by now. */
export function isChanged(error: unknown): boolean {
  return error instanceof KeyValueError && error.message === 'other: the entry has changed'
}

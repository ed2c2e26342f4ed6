/**
 * Writes that happen only if an entry is still as it was read (compare and set).
 *
 * `fermyon:spin/key-value` has no such operation, and an import that has one cannot be loaded on every platform. So a
 * component asks for it by the key: `set` of `ftl:if:KEY`, with what the entry is expected to be and its new value. It
 * knows from the variable `host_conditional_writes` that this host understands the key. On any other host the variable
 * is not defined, and the component writes without a condition.
 */
import { type Awaitable, KeyValueError, type KeyValueStore } from './key-value.ts'

const PREFIX = 'ftl:if:'

/** The message of the error when the entry is another one by now; the platform package compares it. */
const CHANGED = 'the entry has changed'

/** Bytes of the length of the expected value, and the length that means that there is no entry. */
const HEAD = 4
const ABSENT = 0xffff_ffff

/** Understands conditional writes. */
export function withConditionalWrites(store: KeyValueStore): KeyValueStore {
  return {
    ...store,
    set(key, bytes) {
      if (!key.startsWith(PREFIX)) return store.set(key, bytes)
      const { expected, value } = parse(bytes)
      const written = store.setIf(key.slice(PREFIX.length), expected, value)
      return written instanceof Promise ? written.then(refuseUnwritten) : refuseUnwritten(written)
    },
  }
}

function refuseUnwritten(written: boolean): Awaitable<void> {
  if (!written) throw new KeyValueError('other', CHANGED)
}

/** @throws {KeyValueError} when the bytes are not a condition and a value. */
function parse(bytes: Uint8Array): { expected: Uint8Array | undefined; value: Uint8Array } {
  const size = bytes.length < HEAD ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  if (size === ABSENT) return { expected: undefined, value: bytes.subarray(HEAD) }
  const end = HEAD + size
  if (size < 0 || end > bytes.length) {
    throw new KeyValueError('other', 'not a conditional write: the expected value is incomplete')
  }
  return { expected: bytes.subarray(HEAD, end), value: bytes.subarray(end) }
}

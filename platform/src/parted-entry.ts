/**
 * Entries of a key-value store that are larger than one value may be on every platform: they are written in parts.
 *
 * Of two writers at once, one may overwrite parts of the other. A reader then finds that the parts do not belong together, and
 * gets nothing, as if the entry had never been written: use it for what can be made again.
 */
import type { KeyValue } from './platform.ts'

type Store = Pick<KeyValue, 'get' | 'set'>

/** Bytes of one part. Values of up to 1 MB work on every platform. */
const PART = 900_000

/** Begins the entry that leads to the parts. No JSON and no seal begins like this. */
const HEAD = 'parts'
const FIRST = 112

/**
 * Writes the parts of a long text, and returns what is to be written as the entry: the text itself, or what leads to its parts.
 *
 * The parts of the last entry are kept until the next one, for those who have read it already.
 */
export async function partedEntry(store: Store, key: string, text: string): Promise<string> {
  // A character has three bytes at most.
  if (text.length * 3 <= PART) return text
  const encoder = new TextEncoder()
  const bytes = encoder.encode(text)
  if (bytes.length <= PART) return text
  const slot = headOf(await store.get(key))?.[1] === '0' ? '1' : '0'
  const stamp = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const head = encoder.encode(stamp)
  let count = 0
  for (let at = 0; at < bytes.length; at += PART) {
    const value = joined([head, bytes.subarray(at, at + PART)])
    await store.set(partKey(key, slot, count++), value)
  }
  return [HEAD, slot, count, stamp].join(':')
}

/**
 * What {@link partedEntry} was given.
 *
 * @param entry as it was read.
 */
export function joinedEntry(
  store: Store,
  key: string,
  entry: Uint8Array | undefined,
): Uint8Array | undefined | Promise<Uint8Array | undefined> {
  const head = headOf(entry)
  return head ? join(store, key, head) : entry
}

async function join(
  store: Store,
  key: string,
  [, slot = '', count, stamp = '']: readonly string[],
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  for (let at = 0; at < Number(count); at++) {
    const part = await store.get(partKey(key, slot, at))
    if (!part || textOf(part.subarray(0, stamp.length)) !== stamp) return undefined
    parts.push(part.subarray(stamp.length))
  }
  return joined(parts)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  let at = 0
  for (const { length } of parts) at += length
  const all = new Uint8Array(at)
  for (const part of parts.toReversed()) all.set(part, (at -= part.length))
  return all
}

function headOf(entry: Uint8Array | undefined): string[] | undefined {
  // Most entries are JSON.
  if (entry?.[0] !== FIRST) return undefined
  const head = textOf(entry).split(':')
  return head[0] === HEAD && head.length === 4 ? head : undefined
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function partKey(key: string, slot: string, at: number): string {
  return `${key}:part:${slot}:${at}`
}

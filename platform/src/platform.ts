/**
 * What a component may use of the machine it runs on, as interfaces: code that takes a {@link Platform} runs both in
 * a Spin component and in a plain test.
 *
 * @module
 */

export { joinedEntry, partedEntry } from './parted-entry.ts'

/** One key-value store. Keys: at most 255 bytes of `[A-Za-z0-9._:-]`, the subset every backend takes. */
export interface KeyValue {
  get(key: string): Promise<Uint8Array | undefined>
  /** Values of up to 1 MB are safe on every platform. */
  set(key: string, value: Uint8Array | string): Promise<void>
  /**
   * Writes `value` if the entry is still what `get` returned: the bytes `expected`, or no entry for `undefined`. Of several
   * that write at once, on any host with the same store, one succeeds.
   *
   * @returns whether it was written; `undefined` where the host cannot compare (Spin): nothing was written, use `set`.
   */
  setIf?(
    key: string,
    expected: Uint8Array | undefined,
    value: Uint8Array | string,
  ): Promise<boolean | undefined>
  /** No error when the key is absent. */
  delete(key: string): Promise<void>
  exists(key: string): Promise<boolean>
  /** Every key of the store: not for the hot path. */
  keys(): Promise<string[]>
}

export interface Variables {
  /** The value, or `undefined` when the component has no such variable. */
  get(name: string): string | undefined
}

/** Files of the component's `files` mounts, read at run time. Paths are absolute, for example `/config/styles.json`. */
export interface Files {
  /** The file's bytes, or `undefined` when it is not there. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Names (not paths) in a folder, sorted; empty when the folder is not there. */
  list(path: string): Promise<string[]>
  /**
   * A string that changes when the file changes: its size and time, or a digest of its content where the time is not
   * meaningful. `undefined` when the file is not there. Cheaper than reading it.
   */
  stamp(path: string): Promise<string | undefined>
}

export interface Platform {
  /**
   * Opens a store.
   *
   * @throws {KeyValueError} `access-denied` when the manifest does not list the label for this component.
   */
  openKeyValue(label: string): Promise<KeyValue>
  variables: Variables
  files: Files
  /** Milliseconds since the epoch. */
  now(): number
  randomUUID(): string
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Keeps the instance alive until `work` settles, after the response has been sent. */
  waitUntil(work: Promise<unknown>): void
}

export type KeyValueErrorTag = 'store-table-full' | 'no-such-store' | 'access-denied' | 'other'

/** A key-value call failed in the host. */
export class KeyValueError extends Error {
  override readonly name = 'KeyValueError'
  readonly tag: KeyValueErrorTag
  constructor(tag: KeyValueErrorTag, detail?: string) {
    super(detail === undefined ? tag : `${tag}: ${detail}`)
    this.tag = tag
  }
}

const decoder = new TextDecoder()

/** The JSON value under `key`, or `undefined` when the key is absent or its value is not JSON. */
export async function getJson<T>(store: KeyValue, key: string): Promise<T | undefined> {
  return jsonOf(await store.get(key))
}

/** Like {@link getJson}, for a value that was already read. */
export function jsonOf<T>(bytes: Uint8Array | undefined): T | undefined {
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(decoder.decode(bytes)) as T
  } catch {
    return undefined
  }
}

export async function setJson(store: KeyValue, key: string, value: unknown): Promise<void> {
  await store.set(key, JSON.stringify(value))
}

/**
 * A section at the end of a component of ours that says which source it was built of. A host that has the same source runs it
 * beside the components (`native`). Other hosts skip the section.
 */
import { open } from 'node:fs/promises'
import { BinaryReader, encodeU32, readSections } from './binary.ts'

/** What a component says of the source it was built of. */
export interface SourceMark {
  /** SHA-256 of the bundle, in hexadecimal digits. */
  source: string
  /** Features that it was built without. */
  without: readonly string[]
  /** How a gateway introduces itself to clients. @default by the name of this product */
  server?: object
}

const NAME = 'ftl:source'
const CUSTOM = 0

/** Bytes that a mark may have. `ftl build` limits the texts and icons in it to a part of that. */
const MAX_BYTES = 256 * 1024

/** The component with a mark at its end. */
export function withMark(component: Uint8Array, mark: SourceMark): Uint8Array {
  const name = Buffer.from(NAME)
  const content = Buffer.from(JSON.stringify(mark))
  const section = Buffer.concat([Buffer.from(encodeU32(name.length)), name, content])
  return Buffer.concat([component, Buffer.from([CUSTOM, ...encodeU32(section.length)]), section])
}

/** @returns `undefined` for a component without one. @throws {BinaryError} for a file that is not a component. */
export function markOf(component: Uint8Array): SourceMark | undefined {
  const last = readSections(component).at(-1)
  if (last?.id !== CUSTOM || last.end - last.start > MAX_BYTES) return undefined
  const reader = new BinaryReader(component, last.start)
  if (reader.name() !== NAME) return undefined
  return parsed(Buffer.from(component.subarray(reader.at, last.end)).toString())
}

/** Whether a file may have one: its end is read, a fiftieth of it. @throws if it cannot be read. */
export async function mayHaveMark(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    // With the head of the section.
    const bytes = Math.min(size, MAX_BYTES + 64)
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, size - bytes)
    return buffer.includes(NAME)
  } finally {
    await file.close()
  }
}

function parsed(text: string): SourceMark | undefined {
  try {
    const { source, without, server } = JSON.parse(text) as Partial<
      Record<keyof SourceMark, unknown>
    >
    if (typeof source !== 'string' || !Array.isArray(without)) return undefined
    const mark = { source, without: without.map(String) }
    return typeof server === 'object' && server !== null ? { ...mark, server } : mark
  } catch {
    return undefined
  }
}

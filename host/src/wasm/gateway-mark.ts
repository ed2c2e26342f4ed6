/**
 * A section at the end of a gateway's component that says which source it was built of. A host that has the same source runs it
 * beside the components (`native`). Other hosts skip the section.
 */
import { BinaryReader, encodeU32, readSections } from './binary.ts'

/** What a gateway says of the source it was built of. */
export interface GatewayMark {
  /** SHA-256 of the bundle of ftl-gateway/native, in hexadecimal digits. */
  source: string
  /** Features that it was built without. */
  without: readonly string[]
  /** How it introduces itself to clients. @default by the name of this product */
  server?: object
}

const NAME = 'ftl:gateway'
const CUSTOM = 0

/** Bytes that a mark may have. `ftl build` limits the texts and icons in it to a part of that. */
const MAX_BYTES = 256 * 1024

/** The component with a mark at its end. */
export function withMark(component: Uint8Array, mark: GatewayMark): Uint8Array {
  const name = Buffer.from(NAME)
  const content = Buffer.from(JSON.stringify(mark))
  const section = Buffer.concat([Buffer.from(encodeU32(name.length)), name, content])
  return Buffer.concat([component, Buffer.from([CUSTOM, ...encodeU32(section.length)]), section])
}

/** @returns `undefined` for a component without one. @throws {BinaryError} for a file that is not a component. */
export function markOf(component: Uint8Array): GatewayMark | undefined {
  const last = readSections(component).at(-1)
  if (last?.id !== CUSTOM || last.end - last.start > MAX_BYTES) return undefined
  const reader = new BinaryReader(component, last.start)
  if (reader.name() !== NAME) return undefined
  return parsed(Buffer.from(component.subarray(reader.at, last.end)).toString())
}

function parsed(text: string): GatewayMark | undefined {
  try {
    const { source, without, server } = JSON.parse(text) as Partial<
      Record<keyof GatewayMark, unknown>
    >
    if (typeof source !== 'string' || !Array.isArray(without)) return undefined
    const mark = { source, without: without.map(String) }
    return typeof server === 'object' && server !== null ? { ...mark, server } : mark
  } catch {
    return undefined
  }
}

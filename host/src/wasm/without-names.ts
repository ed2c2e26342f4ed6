/** Leaving out the names of functions, types and instances: tools that print a module or a component show numbers instead. */
import { BinaryReader, encodeU32, readSections } from './binary.ts'

const CUSTOM = 0
const NAMES: ReadonlySet<string> = new Set(['name', 'component-name'])

/** Of a component: a core module. */
const CORE_MODULE = 1

/** Magic, version and layer. */
const HEAD_BYTES = 8
/** The layer of a component; a core module has 0. */
const LAYER_AT = 6

/**
 * Leaves out names. Components inside of a component keep theirs.
 *
 * @param binary a core module, or a component with its core modules.
 */
export function withoutNames(binary: Uint8Array): Uint8Array {
  const isComponent = binary[LAYER_AT] === 1
  const parts: Uint8Array[] = [binary.subarray(0, HEAD_BYTES)]
  for (const { id, start, end } of readSections(binary)) {
    if (id === CUSTOM && NAMES.has(new BinaryReader(binary, start).name())) continue
    const content = binary.subarray(start, end)
    const body = isComponent && id === CORE_MODULE ? withoutNames(content) : content
    parts.push(Buffer.from([id, ...encodeU32(body.length)]), body)
  }
  return Buffer.concat(parts)
}

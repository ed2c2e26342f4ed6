/** Leaving out the names of functions, types and instances: tools that print a module or a component show numbers instead. */
import { BinaryReader, readSections } from './binary.ts'

const CUSTOM = 0
const NAMES: ReadonlySet<string> = new Set(['name', 'component-name'])

/** @param binary a core module, or a component; those inside of it keep their names. */
export function withoutNames(binary: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let from = 0
  let before = HEAD_BYTES
  for (const { id, start, end } of readSections(binary)) {
    if (id === CUSTOM && NAMES.has(new BinaryReader(binary, start).name())) {
      parts.push(binary.subarray(from, before))
      from = end
    }
    before = end
  }
  return Buffer.concat([...parts, binary.subarray(from)])
}

/** Magic, version and layer. */
const HEAD_BYTES = 8

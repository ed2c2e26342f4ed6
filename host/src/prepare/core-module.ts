/**
 * Taking the main core module out of a component.
 *
 * A component made by componentize-js, cargo-component or TinyGo holds one large module with the program
 * and small ones that adapt it to the component model. The host speaks to the large one directly.
 *
 * @module
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md
 */
import { BinaryError, BinaryReader, readSections } from './binary.ts'

const MAGIC = Buffer.from([0x00, 0x61, 0x73, 0x6d])
const COMPONENT_VERSION = Buffer.from([0x0d, 0x00, 0x01, 0x00])
const CORE_MODULE_SECTION = 1
const COMPONENT_SECTION = 4
const EXPORT_SECTION = 7
const HANDLER = /^wasi:http\/incoming-handler@0\.2\.\d+#handle$/

/**
 * The module that exports the request handler, as bytes of `component`.
 *
 * @throws {BinaryError} when there is none, or the component is composed of several.
 */
export function mainCoreModule(component: Uint8Array): Uint8Array {
  const head = Buffer.from(component.buffer, component.byteOffset, Math.min(component.length, 8))
  if (!head.subarray(0, 4).equals(MAGIC)) throw new BinaryError('is not a WebAssembly file')
  if (!head.subarray(4).equals(COMPONENT_VERSION)) {
    throw new BinaryError('is a core module, not a component')
  }
  const sections = readSections(component)
  const main = sections
    .filter(({ id }) => id === CORE_MODULE_SECTION)
    .map(({ start, end }) => component.subarray(start, end))
    .find((module) => exportNames(module).some((name) => HANDLER.test(name)))
  if (main) return main
  throw new BinaryError(
    sections.some(({ id }) => id === COMPONENT_SECTION)
      ? 'is composed of several components, which this host cannot run'
      : 'does not export wasi:http/incoming-handler@0.2',
  )
}

function exportNames(module: Uint8Array): string[] {
  const section = readSections(module).find(({ id }) => id === EXPORT_SECTION)
  if (!section) return []
  const reader = new BinaryReader(module, section.start)
  return Array.from({ length: reader.u32() }, () => {
    const size = reader.u32()
    const name = Buffer.from(module.subarray(reader.at, reader.at + size)).toString()
    reader.skip(size)
    reader.byte()
    reader.skipNumber()
    return name
  })
}

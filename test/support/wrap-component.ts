import { encodeU32, readSections } from '../../host/src/wasm/binary.ts'
import { readComponent } from '../../host/src/generic/read-component.ts'

const HEAD = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]
const TYPES_AND_IMPORTS = new Set([6, 7, 10])
const CORE_MODULE = 1
const INSTANCE_SORT = 5

const section = (id: number, ...body: number[]) => [id, ...encodeU32(body.length), ...body]
const name = (text: string) => [...encodeU32(Buffer.byteLength(text)), ...Buffer.from(text)]

/**
 * A composition of one: a component that holds `component`, gives it its own imports and exports its handler.
 *
 * The tools that compose components are not on npm. What is written here is what they write for a composition
 * whose parts do not call each other; it makes any component take the generic way.
 */
export function wrapComponent(component: Uint8Array): Uint8Array {
  const sections = readSections(component)
  // Types and imports stand before everything that could use them, and refer to nothing else.
  const first = sections.findIndex(({ id }) => id === CORE_MODULE)
  const before = sections.slice(0, first).filter(({ id }) => TYPES_AND_IMPORTS.has(id))
  const { definitions } = readComponent(component).code
  const imports = definitions.flatMap((definition) =>
    definition.kind === 'import' ? [definition.name] : [],
  )
  const handler = definitions.find((definition) => definition.kind === 'export')
  if (handler?.kind !== 'export') throw new Error('a component that exports nothing')
  const inner = imports.length
  const args = imports.flatMap((text, index) => [...name(text), INSTANCE_SORT, ...encodeU32(index)])
  return Buffer.concat([
    Buffer.from(HEAD),
    ...before.map(({ id, start, end }) =>
      Buffer.from([id, ...encodeU32(end - start), ...component.subarray(start, end)]),
    ),
    Buffer.from([4, ...encodeU32(component.length)]),
    component,
    Buffer.from([
      ...section(5, 1, 0, 0, ...encodeU32(inner), ...args),
      ...section(6, 1, INSTANCE_SORT, 0, ...encodeU32(inner), ...name(handler.name)),
      ...section(11, 1, 0, ...name(handler.name), INSTANCE_SORT, ...encodeU32(inner + 1), 0),
    ]),
  ])
}

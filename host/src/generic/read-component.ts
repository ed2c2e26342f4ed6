/**
 * Reads a component's binary, including the components and core modules in it.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md
 */
import { BinaryError, BinaryReader, readSections } from '../wasm/binary.ts'
import type {
  CanonicalOptions,
  ComponentCode,
  Definition,
  ReadComponent,
} from './component-code.ts'
import {
  readAlias,
  readCoreExport,
  readCoreSort,
  readExtern,
  readName,
  readReference,
  readType,
  times,
  unknown,
} from './read-types.ts'

const MAGIC = Buffer.from([0x00, 0x61, 0x73, 0x6d])
const COMPONENT_VERSION = Buffer.from([0x0d, 0x00, 0x01, 0x00])

/** @throws {BinaryError} when the bytes are not a component, or use a feature this host does not support. */
export function readComponent(bytes: Uint8Array): ReadComponent {
  const modules: Uint8Array[] = []
  return { code: readCode(bytes, modules, 0), modules }
}

/** Maximum depth of components inside components. */
const MAX_NESTING = 50

function readCode(bytes: Uint8Array, modules: Uint8Array[], depth: number): ComponentCode {
  if (depth > MAX_NESTING) throw new BinaryError(`nests components more than ${MAX_NESTING} deep`)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8))
  if (!head.subarray(0, 4).equals(MAGIC)) throw new BinaryError('is not a WebAssembly file')
  if (!head.subarray(4).equals(COMPONENT_VERSION)) {
    throw new BinaryError('is a core module, not a component')
  }
  const definitions: Definition[] = []
  for (const { id, start, end } of readSections(bytes)) {
    if (id === 1) {
      definitions.push({ kind: 'core module', module: modules.length })
      modules.push(bytes.subarray(start, end))
    } else if (id === 4) {
      const code = readCode(bytes.subarray(start, end), modules, depth + 1)
      definitions.push({ kind: 'component', code })
    } else if (id !== 0) {
      const reader = new BinaryReader(bytes.subarray(start, end))
      for (const definition of readSection(id, reader)) definitions.push(definition)
      if (reader.at !== end - start) throw new BinaryError('has a section of the wrong size')
    }
  }
  return { definitions }
}

function readSection(id: number, reader: BinaryReader): Definition[] {
  const read = READERS[id]
  if (read) return times(reader, () => read(reader))
  if (id === 3) throw new BinaryError('describes core modules, which this host does not import')
  if (id === 9) throw new BinaryError('has a start function of its own')
  throw unknown('section', id)
}

const READERS: Readonly<Record<number, (reader: BinaryReader) => Definition>> = {
  2: (reader) => {
    if (reader.byte() !== 0) {
      return { kind: 'core exports', exports: times(reader, () => readCoreExport(reader)) }
    }
    const module = reader.u32()
    const args = times(reader, () => {
      const name = reader.name()
      readCoreSort(reader)
      return { name, instance: reader.u32() }
    })
    return { kind: 'core instance', module, args }
  },
  5: (reader) => {
    if (reader.byte() !== 0) {
      const exports = times(reader, () => ({ name: readName(reader), ...readReference(reader) }))
      return { kind: 'exports', exports }
    }
    const component = reader.u32()
    const args = times(reader, () => ({ name: reader.name(), ...readReference(reader) }))
    return { kind: 'instance', component, args }
  },
  6: readAlias,
  7: (reader) => ({ kind: 'type', type: readType(reader) }),
  8: readCanonical,
  10: (reader) => ({ kind: 'import', name: readName(reader), extern: readExtern(reader) }),
  11: (reader) => {
    const name = readName(reader)
    const of = readReference(reader)
    if (reader.byte() === 1) readExtern(reader)
    return { kind: 'export', name, of }
  },
}

function readCanonical(reader: BinaryReader): Definition {
  const code = reader.byte()
  switch (code) {
    case 0x00: {
      reader.byte()
      const core = reader.u32()
      const options = readOptions(reader)
      return { kind: 'lift', core, options, type: reader.u32() }
    }
    case 0x01:
      reader.byte()
      return { kind: 'lower', function: reader.u32(), options: readOptions(reader) }
    case 0x02:
      return { kind: 'resource.new', type: reader.u32() }
    case 0x03:
      return { kind: 'resource.drop', type: reader.u32() }
    case 0x04:
      return { kind: 'resource.rep', type: reader.u32() }
  }
  throw new BinaryError('uses functions of the asynchronous component model (WASI 0.3)')
}

function readOptions(reader: BinaryReader): CanonicalOptions {
  const options: CanonicalOptions = {
    memory: undefined,
    realloc: undefined,
    postReturn: undefined,
  }
  times(reader, () => {
    const code = reader.byte()
    if (code === 0x00) return
    if (code === 0x03) options.memory = reader.u32()
    else if (code === 0x04) options.realloc = reader.u32()
    else if (code === 0x05) options.postReturn = reader.u32()
    else if (code <= 0x02) throw new BinaryError('passes strings in another encoding than UTF-8')
    else throw new BinaryError('is made for the asynchronous component model (WASI 0.3)')
  })
  return options
}

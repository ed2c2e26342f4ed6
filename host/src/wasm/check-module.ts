/**
 * What a core module imports and exports, and the check that it uses nothing but the features of WebAssembly that
 * supported toolchains emit.
 *
 * It is a list of what is allowed: a feature that engines will learn tomorrow is refused until it is added here.
 * Whether the module is valid is for the engine to say, which validates every module it compiles.
 * @see https://webassembly.github.io/spec/core/binary/modules.html
 */
import { BinaryError, BinaryReader, readSections } from './binary.ts'
import { SECTION } from './module-shape.ts'
import {
  FEATURES,
  readConstant,
  readSimpleType,
  readSimpleTypes,
  scanCode,
  type SimpleType,
  unsupported,
} from './scan-code.ts'

export type CoreKind = 'function' | 'table' | 'memory' | 'global'

export interface CoreExport {
  name: string
  kind: CoreKind
  /** Of a function: see {@link signature}. */
  signature: string | undefined
}

export interface CoreImport extends CoreExport {
  from: string
}

/** What can be seen of a module from outside. Plain data. */
export interface CoreShape {
  imports: CoreImport[]
  exports: CoreExport[]
  /** How many functions it has besides those it imports. */
  functions: number
}

const LETTERS: Readonly<Record<SimpleType, string>> = {
  i32: 'i',
  i64: 'I',
  f32: 'f',
  f64: 'F',
  v128: 'v',
  funcref: 'r',
}

/** A function type as text: a letter for each parameter, a colon, a letter for each result. `ii:i` */
const signature = (params: readonly SimpleType[], results: readonly SimpleType[]): string =>
  `${params.map((type) => LETTERS[type]).join('')}:${results.map((type) => LETTERS[type]).join('')}`

/** Sections a module may have, besides custom ones, which say nothing to an engine. */
const KNOWN_SECTIONS: ReadonlySet<number> = new Set([...Array(13).keys()])

/**
 * @throws {BinaryError} naming a feature that is not supported.
 */
export function checkModule(module: Uint8Array): CoreShape {
  const before = CHECKED.get(module)
  if (before) return before
  const shape = new ModuleCheck(module).run()
  CHECKED.set(module, shape)
  return shape
}

/** A module of 10 MB takes a tenth of a second. */
const CHECKED = new WeakMap<Uint8Array, CoreShape>()

class ModuleCheck {
  readonly #module: Uint8Array
  readonly #types: string[] = []
  readonly #functions: string[] = []
  readonly #imports: CoreImport[] = []
  readonly #exports: CoreExport[] = []
  readonly #globals: SimpleType[] = []
  #memories = 0

  constructor(module: Uint8Array) {
    this.#module = module
  }

  run(): CoreShape {
    for (const { id, start, end } of readSections(this.#module)) {
      if (id === SECTION.tag) throw unsupported(FEATURES.exceptions)
      if (!KNOWN_SECTIONS.has(id)) throw unsupported(`sections of the kind ${id}`)
      const reader = new BinaryReader(this.#module, start)
      this.#section(id, reader)
      if (this.#memories > 1) throw unsupported(FEATURES.memories)
      if (reader.at > end) throw new BinaryError('has a section that is cut off')
    }
    const imported = this.#imports.filter(({ kind }) => kind === 'function').length
    return {
      imports: this.#imports,
      exports: this.#exports,
      functions: this.#functions.length - imported,
    }
  }

  #section(id: number, reader: BinaryReader): void {
    if (id === SECTION.type) each(reader, () => this.#types.push(readFunctionType(reader)))
    else if (id === SECTION.import) each(reader, () => this.#import(reader))
    else if (id === SECTION.function) each(reader, () => this.#functions.push(this.#type(reader)))
    else if (id === SECTION.table) each(reader, () => checkTable(reader))
    else if (id === SECTION.memory) each(reader, () => this.#memory(reader))
    else if (id === SECTION.global) {
      each(reader, () => {
        this.#global(reader)
        readConstant(reader)
      })
    } else if (id === SECTION.export) each(reader, () => this.#export(reader))
    else if (id === SECTION.element) each(reader, () => readElements(reader))
    else if (id === SECTION.code) each(reader, () => checkFunction(reader))
  }

  #import(reader: BinaryReader): void {
    const from = reader.name()
    const name = reader.name()
    const kind = kindOf(reader.byte())
    let type: string | undefined
    if (kind === 'function') this.#functions.push((type = this.#type(reader)))
    else if (kind === 'table') checkTable(reader)
    else if (kind === 'memory') this.#memory(reader)
    else this.#global(reader)
    this.#boundary(`imports "${name}"`, type, kind === 'global' ? this.#globals.at(-1) : undefined)
    this.#imports.push({ from, name, kind, signature: type })
  }

  #export(reader: BinaryReader): void {
    const name = reader.name()
    const kind = kindOf(reader.byte())
    const index = reader.u32()
    const type = kind === 'function' ? this.#functions[index] : undefined
    this.#boundary(`exports "${name}"`, type, kind === 'global' ? this.#globals[index] : undefined)
    this.#exports.push({ name, kind, signature: type })
  }

  /** References stay inside a module; only tables of functions are shared. */
  #boundary(what: string, type: string | undefined, global: SimpleType | undefined): void {
    if (type?.includes('r') || global === 'funcref') {
      throw new BinaryError(`${what} with references, which this host does not pass on`)
    }
  }

  #type(reader: BinaryReader): string {
    const type = this.#types[reader.u32()]
    if (type === undefined) throw new BinaryError('has a function of no type')
    return type
  }

  #memory(reader: BinaryReader): void {
    this.#memories++
    const flags = reader.byte()
    if (flags & 2) throw unsupported(FEATURES.threads)
    if (flags & 4) throw unsupported('64-bit memories')
    readLimits(reader, flags)
  }

  #global(reader: BinaryReader): void {
    this.#globals.push(readSimpleType(reader))
    if (reader.byte() > 1) throw unsupported(FEATURES.threads)
  }
}

function each(reader: BinaryReader, read: () => void): void {
  for (let left = reader.u32(); left > 0; left--) read()
}

function kindOf(byte: number): CoreKind {
  const kind = (['function', 'table', 'memory', 'global'] as const)[byte]
  if (kind) return kind
  throw byte === 4 ? unsupported(FEATURES.exceptions) : unsupported(`imports of the kind ${byte}`)
}

const FUNCTION_TYPE = 0x60

function readFunctionType(reader: BinaryReader): string {
  if (reader.byte() !== FUNCTION_TYPE) throw unsupported(FEATURES.collector)
  const params = readSimpleTypes(reader)
  return signature(params, readSimpleTypes(reader))
}

/** A table of functions, of plain size. */
function checkTable(reader: BinaryReader): void {
  if (reader.bytes[reader.at] === 0x40) throw unsupported(FEATURES.references)
  if (readSimpleType(reader) !== 'funcref') throw new BinaryError('has a table of no references')
  const flags = reader.byte()
  if (flags & 2) throw unsupported(FEATURES.threads)
  if (flags & 4) throw unsupported('64-bit tables')
  readLimits(reader, flags)
}

function readLimits(reader: BinaryReader, flags: number): void {
  if (flags > 1) throw unsupported(`limits of the kind ${flags}`)
  reader.u32()
  if (flags === 1) reader.u32()
}

/**
 * Element segments: bit 0 not active, bit 1 names its table or is declared, bit 2 holds expressions.
 *
 * @returns the index of each function in it.
 */
export function readElements(reader: BinaryReader): number[] {
  const flags = reader.u32()
  if (flags > 7) throw unsupported(`element segments of the kind ${flags}`)
  const active = (flags & 1) === 0
  const expressions = (flags & 4) !== 0
  if (active && flags & 2) reader.u32()
  if (active) readConstant(reader)
  if (flags & 3) {
    if (expressions) {
      if (readSimpleType(reader) !== 'funcref') throw unsupported(FEATURES.references)
    } else if (reader.byte() !== 0) throw unsupported(FEATURES.references)
  }
  const functions: number[] = []
  each(reader, () => {
    functions.push(...(expressions ? readConstant(reader).functions : [reader.u32()]))
  })
  return functions
}

function checkFunction(reader: BinaryReader): void {
  const end = reader.u32() + reader.at
  each(reader, () => {
    reader.u32()
    readSimpleType(reader)
  })
  scanCode(reader, end)
}

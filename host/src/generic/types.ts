/** Types of a linked component, with their indices resolved. */
import { BinaryError } from '../wasm/binary.ts'
import type { HandleSpace, Kind } from '../instance/handles.ts'
import { kindOfResource } from '../instance/resource-kinds.ts'
import type { CoreFunction } from './index-spaces.ts'
import type { Declaration, Primitive, TypeCode, ValueReference } from './component-code.ts'

/** A component instance, as calls between instances see it. */
export interface ComponentInstance {
  readonly handles: HandleSpace
  /** Whether a call of it has not returned yet: it cannot be called again before. */
  entered: boolean
}

/** A resource type a component defines. Each instance of the component has its own. */
export class GuestResourceType {
  /** The instance that defines it: the only one that sees what its handles stand for. */
  readonly owner: ComponentInstance
  readonly destructor: CoreFunction | undefined

  constructor(owner: ComponentInstance, destructor?: CoreFunction) {
    this.owner = owner
    this.destructor = destructor
  }
}

/** A resource type of the host's. */
export class HostResourceType {
  /** What its handles stand for. */
  readonly kind: Kind<object>

  /** @param from the interface that defines it. */
  constructor(from: string, name: string) {
    this.kind = kindOfResource(from, name)
  }
}

export type ResourceType = GuestResourceType | HostResourceType

export type ValueType =
  | { kind: Primitive }
  | { kind: 'record'; fields: ValueType[] }
  | { kind: 'variant'; cases: (ValueType | undefined)[] }
  | { kind: 'list'; element: ValueType }
  | { kind: 'flags'; count: number }
  | { kind: 'own' | 'borrow'; resource: ResourceType }

export interface FunctionType {
  params: ValueType[]
  result: ValueType | undefined
}

/** Types are resolved when an adapter needs them, which most components never do. */
export interface TypeSpace {
  readonly types: readonly TypeEntry[]
}

export type TypeEntry = ResourceType | DefinedType

/** Parts a type may have, each counted as often as it is used: sizes are computed by walking over all of them. */
const MAX_PARTS = 10_000
const MAX_DEPTH = 100

export class DefinedType {
  readonly code: TypeCode
  readonly parts: number
  readonly depth: number
  readonly #space: TypeSpace
  readonly #index: number
  #value: ValueType | undefined

  /** @param space where it is defined next; it refers to what is defined before. */
  constructor(code: TypeCode, space: TypeSpace) {
    this.code = code
    this.#space = space
    this.#index = space.types.length
    let parts = 1
    let depth = 0
    for (const part of partsOf(code)) {
      const entry = typeof part === 'number' ? this.#entry(part) : undefined
      parts += entry instanceof DefinedType ? entry.parts : 1
      if (entry instanceof DefinedType) depth = Math.max(depth, entry.depth)
    }
    if (parts > MAX_PARTS || depth >= MAX_DEPTH)
      throw new BinaryError('has a type that is too large')
    this.parts = parts
    this.depth = depth + 1
  }

  value(): ValueType {
    return (this.#value ??= this.#resolve())
  }

  function(): FunctionType {
    const { code } = this
    if (code.kind !== 'function') throw new BinaryError('lifts a function of no function type')
    return {
      params: code.params.map((param) => this.#at(param)),
      result: code.result === undefined ? undefined : this.#at(code.result),
    }
  }

  #resolve(): ValueType {
    const { code } = this
    switch (code.kind) {
      case 'primitive':
        return { kind: code.of }
      case 'record':
        return { kind: 'record', fields: code.fields.map((field) => this.#at(field)) }
      case 'variant':
        return {
          kind: 'variant',
          cases: code.cases.map((type) => (type === undefined ? undefined : this.#at(type))),
        }
      case 'list':
        return { kind: 'list', element: this.#at(code.element) }
      case 'flags':
        return code
      case 'own':
      case 'borrow':
        return { kind: code.kind, resource: this.#resource(code.resource) }
    }
    throw new BinaryError(`has a value of the type ${code.kind}`)
  }

  #at(reference: ValueReference): ValueType {
    if (typeof reference === 'string') return { kind: reference }
    const entry = this.#entry(reference)
    if (entry instanceof DefinedType) return entry.value()
    throw new BinaryError(`has a value of no type (${reference})`)
  }

  #entry(index: number): TypeEntry | undefined {
    return index < this.#index ? this.#space.types[index] : undefined
  }

  #resource(index: number): ResourceType {
    const entry = this.#entry(index)
    if (entry instanceof HostResourceType || entry instanceof GuestResourceType) return entry
    throw new BinaryError(`has a handle of no resource (${index})`)
  }
}

function partsOf(code: TypeCode): readonly (ValueReference | undefined)[] {
  switch (code.kind) {
    case 'record':
      return code.fields
    case 'variant':
      return code.cases
    case 'list':
      return [code.element]
    case 'function':
      return [...code.params, code.result]
  }
  return []
}

/**
 * The types an imported instance of the host exports, as its own type declares them.
 *
 * @param from the interface.
 * @param outer the importing component.
 */
export function declaredTypes(
  from: string,
  declarations: readonly Declaration[],
  outer: { outwards(count: number): TypeSpace },
): Map<string, TypeEntry> {
  const types: TypeEntry[] = []
  const space: TypeSpace = { types }
  const exported = new Map<string, TypeEntry>()
  const at = (list: readonly TypeEntry[], index: number): TypeEntry => {
    const entry = list[index]
    if (entry) return entry
    throw new BinaryError(`declares ${from} with a type that is not defined (${index})`)
  }
  for (const declaration of declarations) {
    if (declaration.kind === 'type') types.push(new DefinedType(declaration.type, space))
    else if (declaration.kind === 'alias outer' && declaration.sort === 'type') {
      const { count, index } = declaration
      types.push(at(count === 0 ? types : outer.outwards(count - 1).types, index))
    } else if (declaration.kind === 'alias export' && declaration.sort === 'type') {
      throw new BinaryError(`declares ${from} with a type of an instance inside of it`)
    } else if (declaration.kind === 'export' && declaration.extern.sort === 'type') {
      const { equals } = declaration.extern
      const entry =
        equals === undefined ? new HostResourceType(from, declaration.name) : at(types, equals)
      types.push(entry)
      exported.set(declaration.name, entry)
    }
  }
  return exported
}

/**
 * Types of a linked component, with their indices resolved.
 *
 * @module
 */
import { BinaryError } from '../prepare/binary.ts'
import type { Declaration, Primitive, TypeCode, ValueReference } from './code.ts'

/** A resource type a component defines. Each instance of the component has one of its own. */
export class GuestResourceType {
  /** The instance that defines it: the only one that sees what its handles stand for. */
  readonly owner: object
  readonly destructor: ((representation: number) => unknown) | undefined

  constructor(owner: object, destructor?: (representation: number) => unknown) {
    this.owner = owner
    this.destructor = destructor
  }
}

/** A resource type of the host's. Which one is known by the resource itself. */
export const HOST_RESOURCE = Symbol('a resource of the host')

export type ResourceType = GuestResourceType | typeof HOST_RESOURCE

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

export class DefinedType {
  readonly code: TypeCode
  readonly #space: TypeSpace
  #value: ValueType | undefined

  constructor(code: TypeCode, space: TypeSpace) {
    this.code = code
    this.#space = space
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
    const entry = this.#space.types[reference]
    if (entry instanceof DefinedType) return entry.value()
    throw new BinaryError(`has a value of no type (${reference})`)
  }

  #resource(index: number): ResourceType {
    const entry = this.#space.types[index]
    if (entry === HOST_RESOURCE || entry instanceof GuestResourceType) return entry
    throw new BinaryError(`has a handle of no resource (${index})`)
  }
}

/**
 * The types an imported instance exports, as its own type declares them.
 *
 * @param outer the space of the importing component.
 */
export function declaredTypes(
  declarations: readonly Declaration[],
  outer: TypeSpace,
): Map<string, TypeEntry> {
  const types: TypeEntry[] = []
  const space: TypeSpace = { types }
  const exported = new Map<string, TypeEntry>()
  for (const declaration of declarations) {
    if (declaration.kind === 'type') types.push(new DefinedType(declaration.type, space))
    else if (declaration.kind === 'alias outer') {
      const from = declaration.count === 0 ? space : outer
      types.push(from.types[declaration.index] ?? HOST_RESOURCE)
    } else if (declaration.kind === 'export' && declaration.extern.sort === 'type') {
      const { equals } = declaration.extern
      const entry = equals === undefined ? HOST_RESOURCE : (types[equals] ?? HOST_RESOURCE)
      types.push(entry)
      exported.set(declaration.name, entry)
    }
  }
  return exported
}

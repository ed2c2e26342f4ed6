/**
 * A component as the host keeps it: what its binary says, in order, as plain data that can go to a worker thread.
 *
 * Indices count within the index space of their sort, each definition taking the next place in one of them.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/Explainer.md
 */

/** What an index space holds. */
export type Sort =
  | 'function'
  | 'type'
  | 'component'
  | 'instance'
  | 'core function'
  | 'core table'
  | 'core memory'
  | 'core global'
  | 'core type'
  | 'core module'
  | 'core instance'

export interface Reference {
  sort: Sort
  index: number
}

export interface NamedReference extends Reference {
  name: string
}

export const PRIMITIVES = {
  0x7f: 'bool',
  0x7e: 's8',
  0x7d: 'u8',
  0x7c: 's16',
  0x7b: 'u16',
  0x7a: 's32',
  0x79: 'u32',
  0x78: 's64',
  0x77: 'u64',
  0x76: 'f32',
  0x75: 'f64',
  0x74: 'char',
  0x73: 'string',
} as const

export type Primitive = (typeof PRIMITIVES)[keyof typeof PRIMITIVES]

/** A primitive, or the index of a type. */
export type ValueReference = Primitive | number

export type TypeCode =
  | { kind: 'primitive'; of: Primitive }
  /** Tuples too: what is carried between components are places, not names. */
  | { kind: 'record'; fields: ValueReference[] }
  /** Options, results and enums too. */
  | { kind: 'variant'; cases: (ValueReference | undefined)[] }
  | { kind: 'list'; element: ValueReference }
  | { kind: 'flags'; count: number }
  | { kind: 'own' | 'borrow'; resource: number }
  | { kind: 'function'; params: ValueReference[]; result: ValueReference | undefined }
  | { kind: 'resource'; destructor: number | undefined }
  | { kind: 'instance'; declarations: Declaration[] }
  | { kind: 'component' }

/** Of an instance type: only what says something about types. */
export type Declaration =
  | { kind: 'type'; type: TypeCode }
  | { kind: 'alias outer'; sort: Sort; count: number; index: number }
  | { kind: 'alias export'; sort: Sort; instance: number; name: string }
  | { kind: 'export'; name: string; extern: Extern }

/** The type of an import or export. */
export type Extern =
  | { sort: 'function' | 'component' | 'instance' | 'core module'; type: number }
  /** `equals` is missing for a resource type. */
  | { sort: 'type'; equals: number | undefined }

export interface CanonicalOptions {
  memory: number | undefined
  realloc: number | undefined
  postReturn: number | undefined
}

export type Definition =
  /** `module`: place in {@link ReadComponent.modules}. */
  | { kind: 'core module'; module: number }
  | { kind: 'core instance'; module: number; args: { name: string; instance: number }[] }
  | { kind: 'core exports'; exports: NamedReference[] }
  | { kind: 'core type' }
  | { kind: 'component'; code: ComponentCode }
  | { kind: 'instance'; component: number; args: NamedReference[] }
  | { kind: 'exports'; exports: NamedReference[] }
  | { kind: 'alias export'; sort: Sort; instance: number; name: string }
  | { kind: 'alias core export'; sort: Sort; instance: number; name: string }
  | { kind: 'alias outer'; sort: Sort; count: number; index: number }
  | { kind: 'type'; type: TypeCode }
  | { kind: 'lift'; core: number; options: CanonicalOptions; type: number }
  | { kind: 'lower'; function: number; options: CanonicalOptions }
  | { kind: 'resource.new' | 'resource.drop' | 'resource.rep'; type: number }
  | { kind: 'import'; name: string; extern: Extern }
  | { kind: 'export'; name: string; of: Reference }

export interface ComponentCode {
  definitions: Definition[]
}

export interface ReadComponent {
  code: ComponentCode
  /** The core modules of the component and of those in it. */
  modules: Uint8Array[]
}

/** Instances of components and core modules that one request may make. */
export const MAX_INSTANCES = 1000

/** Where the references of a document lead. References to other files were taken into it before. */
import { isObject, isString, memberOf } from 'ftl-contract'

export type Fields = Record<string, unknown>

/** References that lead to each other. */
const MAX_FOLLOWED = 50

export interface Resolved {
  value: unknown
  /** The last reference that was followed. @default the node refers to nothing */
  ref?: string
}

export class References {
  readonly #root: unknown
  constructor(root: unknown) {
    this.#root = root
  }

  /** What a node is, or what it refers to; `value` is `undefined` where a reference leads nowhere. */
  resolve(node: unknown): Resolved {
    let value = node
    let ref: string | undefined
    for (let count = 0; isObject(value) && isString(value['$ref']); count++) {
      if (count === MAX_FOLLOWED) return { value: undefined }
      ref = value['$ref']
      value = this.#at(ref)
    }
    return ref === undefined ? { value } : { value, ref }
  }

  /** The same as an object; empty for anything else. */
  fields(node: unknown): Fields {
    const { value } = this.resolve(node)
    return isObject(value) ? value : {}
  }

  #at(ref: string): unknown {
    if (!ref.startsWith('#')) return undefined
    let target = this.#root
    for (const part of partsOf(ref)) target = memberOf(target, part)
    return target
  }
}

/** `#/components/schemas/A~1b`: its parts, as names of members. */
export function partsOf(ref: string): string[] {
  const parts = ref.slice(1).split('/').slice(1)
  return parts.map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The members of a list that are objects, or what they refer to. */
export function listOf(references: References, value: unknown): Fields[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each) => {
    const { value: found } = references.resolve(each)
    return isObject(found) ? [found] : []
  })
}

export function textOf(value: unknown): string | undefined {
  return isString(value) && value.trim() !== '' ? value.trim() : undefined
}

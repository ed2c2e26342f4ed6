/** The schemas within a schema, and where its references lead. */
import { namesIn } from './json-pointer.ts'
import type { JsonSchema } from './tool.ts'
import { isObject, isString, memberOf } from './values.ts'

export interface Places {
  /** Everything that stands where a schema does. */
  schemas: ReadonlySet<unknown>
  /** Those with an address of their own, and that address. */
  resources: ReadonlyMap<unknown, string>
  /** The first one with each address. */
  byAddress: ReadonlyMap<string, unknown>
  anchors: ReadonlySet<string>
}

const PART =
  /^(not|if|then|else|contains|propertyNames|(additional|unevaluated)(Items|Properties)|contentSchema|(all|any|one)Of|(prefixI|i)tems)$/
const MAP = /^((patternP|p)roperties|\$defs|definitions|dependentSchemas|dependencies)$/

export function placesOf(root: JsonSchema): Places {
  const schemas = new Set<unknown>()
  const resources = new Map<unknown, string>([[root, '']])
  const anchors = new Set<string>()
  // A list instead of recursion, as elsewhere: the stack of a component's engine is small.
  const rest: unknown[] = [root]
  while (rest.length > 0) {
    const schema = rest.pop()
    if (!isObject(schema) || schemas.has(schema)) continue
    schemas.add(schema)
    const { $id, $anchor, $dynamicAnchor } = schema
    if (isString($id)) {
      if ($id.startsWith('#')) anchors.add($id.slice(1))
      else resources.set(schema, $id.replace(/#$/, ''))
    }
    for (const anchor of [$anchor, $dynamicAnchor]) if (isString(anchor)) anchors.add(anchor)
    for (const [name, value] of Object.entries(schema)) {
      // Not spread: an argument list of a schema's length can be too long for the stack.
      if (PART.test(name)) for (const part of [value].flat()) rest.push(part)
      else if (MAP.test(name) && isObject(value)) {
        for (const part of Object.values(value)) rest.push(part)
      }
    }
  }
  const byAddress = new Map<string, unknown>()
  for (const [schema, address] of resources) {
    if (!byAddress.has(address)) byAddress.set(address, schema)
  }
  return { schemas, resources, byAddress, anchors }
}

/** References that lead to one another. A schema of thousands, each to the next, would be followed for minutes. */
const MOST_STEPS = 16

/**
 * What a `$ref` leads to, if it is a schema within the same one.
 *
 * @param base the schema with an address of its own that the reference is part of.
 * @returns `undefined` also for references that lead to each other without end, or more than 16 times.
 */
export function targetOf(places: Places, base: unknown, ref: string): unknown {
  const passed = new Set<string>()
  let from = base
  let next: unknown = ref
  let target: unknown
  while (isString(next)) {
    const found: { target: unknown; resource: unknown } | undefined = locate(places, from, next)
    if (!found || passed.has(next) || passed.size === MOST_STEPS) return undefined
    passed.add(next)
    target = found.target
    from = found.resource
    next = memberOf(target, '$ref')
  }
  return target
}

function locate(
  { schemas, resources, byAddress, anchors }: Places,
  base: unknown,
  ref: string,
): { target: unknown; resource: unknown } | undefined {
  const [address = '', ...rest] = ref.split('#')
  if (address !== '' && !byAddress.has(address)) return undefined
  let resource: unknown = address === '' ? base : byAddress.get(address)
  let fragment: string
  try {
    fragment = decodeURIComponent(rest.join('#'))
  } catch {
    return undefined
  }
  // An anchor leads somewhere; where, only the check of a value needs to know.
  if (fragment !== '' && !fragment.startsWith('/')) {
    return anchors.has(fragment) ? { target: true, resource } : undefined
  }
  let target = resource
  for (const name of namesIn(fragment)) {
    target = memberOf(target, name)
    if (resources.has(target)) resource = target
  }
  return typeof target === 'boolean' || schemas.has(target) ? { target, resource } : undefined
}

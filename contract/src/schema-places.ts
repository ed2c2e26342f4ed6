/** The schemas within a schema, and where its references lead. */
import type { JsonSchema } from './tool.ts'
import { isObject, isString, memberOf } from './values.ts'

export interface Places {
  /** Everything that stands where a schema does. */
  schemas: ReadonlySet<unknown>
  /** Those with an address of their own, and that address. */
  resources: ReadonlyMap<unknown, string>
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
      if (PART.test(name)) rest.push(...[value].flat())
      else if (MAP.test(name) && isObject(value)) rest.push(...Object.values(value))
    }
  }
  return { schemas, resources, anchors }
}

/**
 * What a `$ref` leads to, if it is a schema within the same one.
 *
 * @param base the schema with an address of its own that the reference is part of.
 * @returns `undefined` also for references that lead to each other without end.
 */
export function targetOf(places: Places, base: unknown, ref: string): unknown {
  const passed = new Set<string>()
  let from = base
  let next: unknown = ref
  let target: unknown
  while (isString(next)) {
    const found: { target: unknown; resource: unknown } | undefined = locate(places, from, next)
    if (!found || passed.has(next)) return undefined
    passed.add(next)
    target = found.target
    from = found.resource
    next = memberOf(target, '$ref')
  }
  return target
}

function locate(
  { schemas, resources, anchors }: Places,
  base: unknown,
  ref: string,
): { target: unknown; resource: unknown } | undefined {
  const [address = '', ...rest] = ref.split('#')
  const named =
    address === '' ? [base] : [...resources].flatMap(([at, id]) => (id === address ? [at] : []))
  if (named.length === 0) return undefined
  let resource: unknown = named[0]
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
  for (const part of fragment.split('/').slice(1)) {
    target = memberOf(target, part.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (resources.has(target)) resource = target
  }
  return typeof target === 'boolean' || schemas.has(target) ? { target, resource } : undefined
}

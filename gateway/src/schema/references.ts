/**
 * Where references lead. Nothing is fetched: a reference leads to a place inside the schema or nowhere.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2
 */
import { isObject, isString, memberOf, namesIn } from 'ftl-contract'
import {
  type Index,
  invalid,
  type Resource,
  type Run,
  type Schema,
  type Scope,
  step,
  type Target,
  UNIT,
  unusable,
} from './validation-state.ts'

function indexOf(run: Run): Index {
  return (run.index ??= indexSchema(run))
}

/** The `$id` of a schema, if it has one that counts. */
function idOf({ dialect }: Run, schema: Schema): string | undefined {
  // Up to draft 7 everything beside a $ref is ignored.
  if (dialect <= 7 && schema.$ref !== undefined) return
  const id = schema.$id
  return isString(id) ? id : undefined
}

/** The resource that `schema` belongs to, when it is found inside of `resource`. */
export function resourceAt(run: Run, schema: unknown, resource: Resource): Resource {
  return schema === resource.root || !isObject(schema) || idOf(run, schema) === undefined
    ? resource
    : (indexOf(run).get(schema)?.resource ?? resource)
}

/**
 * Where a reference leads.
 *
 * @param dynamic it is a `$dynamicRef` or `$recursiveRef`: when what it leads to is marked as dynamic, the outermost
 * resource on the way to here with that mark is meant.
 * @throws {UnusableSchema} when that is not inside the schema.
 */
export function resolve(run: Run, ref: unknown, dynamic = false): Target {
  if (!isString(ref)) throw invalid(run)
  step(run, ref.length * UNIT)
  const { resource } = run.scope
  let target: Target | undefined
  try {
    target = locate(run, resource, ref)
  } catch (error) {
    // Not a URI, or not one that can be decoded.
    if (!(error instanceof TypeError || error instanceof URIError)) throw error
  }
  if (target?.schema === undefined) {
    const foreign = ref.startsWith('#') ? '' : ': other documents are not fetched'
    throw unusable(run, `its $ref "${ref}" leads nowhere${foreign}`)
  }
  const anchor = ref.replace(/^[^#]*#?/, '')
  if (dynamic && isDynamic(target, anchor)) {
    for (let at: Run['scope'] | undefined = run.scope; at; at = at.outer) {
      step(run, 4 * UNIT)
      const found = indexOf(run).get(`${at.resource.uri}#${anchor}`)
      if (isDynamic(found, anchor)) target = found
    }
  }
  return target
}

function isDynamic(target: Target | undefined, anchor: string): target is Target {
  const schema = target?.schema
  return (
    isObject(schema) &&
    (anchor === '' ? schema.$recursiveAnchor === true : schema.$dynamicAnchor === anchor)
  )
}

function locate(run: Run, resource: Resource, ref: string): Target | undefined {
  let hash = ref
  if (!ref.startsWith('#')) {
    const index = indexOf(run)
    const url = new URL(ref, resource.uri)
    hash = url.hash
    url.hash = ''
    const found = index.get(`${url.href}#`)
    if (!found) return
    resource = found.resource
  }
  const fragment = decodeURIComponent(hash.slice(1))
  if (fragment && !fragment.startsWith('/')) return indexOf(run).get(`${resource.uri}#${fragment}`)
  let schema: unknown = resource.root
  for (const name of namesIn(fragment)) {
    schema = memberOf(schema, name)
    resource = resourceAt(run, schema, resource)
  }
  return { schema, resource }
}

/** Only these contain schemas: a value in `enum` or in an unknown keyword may look like one. */
export const SCHEMAS =
  /^(not|if|then|else|contains|propertyNames|(additional|unevaluated)(Items|Properties)|contentSchema|(all|any|one)Of|(prefixI|i)tems)$/
/** Keywords whose members have names of the author's, and are schemas. */
export const MAPS = /^((patternP|p)roperties|\$defs|definitions|dependentSchemas|dependencies)$/

/** Walks through a whole schema to find every `$id` and anchor. Most schemas do not need it. @throws {UnusableSchema} */
function indexSchema(run: Run): Index {
  const index: Index = new Map()
  let { scope }: { scope: Scope } = run
  while (scope.outer) scope = scope.outer
  // A list instead of recursion, because a schema may be nested more deeply than the engine's stack allows.
  const rest: [unknown, Resource][] = [[scope.resource.root, scope.resource]]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [schema] = next
    if (!isObject(schema)) continue
    step(run)
    const resource = register(run, index, schema, next[1])
    for (const [key, value] of Object.entries(schema)) {
      const isMap = MAPS.test(key)
      if (!isMap && !SCHEMAS.test(key)) continue
      const below = isMap || Array.isArray(value) ? Object.values(value ?? {}) : [value]
      for (const schema of below) rest.push([schema, resource])
    }
  }
  return index
}

function register(run: Run, index: Index, schema: Schema, resource: Resource): Resource {
  const add = (anchor: string) => index.set(`${resource.uri}#${anchor}`, { schema, resource })
  const id = idOf(run, schema)
  let anchor
  if (id !== undefined) {
    let url
    try {
      url = new URL(id, resource.uri)
    } catch {
      throw unusable(run, `its $id "${id}" is not a URI`)
    }
    anchor = url.hash.slice(1)
    url.hash = ''
    const uri = url.href
    if (schema === resource.root) resource.uri = uri
    else if (uri !== resource.uri) resource = { root: schema, uri }
  }
  if (schema === resource.root) {
    add('')
    index.set(schema, { schema, resource })
  }
  if (anchor) add(anchor)
  if (run.dialect > 7) {
    for (const name of [schema.$anchor, schema.$dynamicAnchor]) if (isString(name)) add(name)
  }
  return resource
}

/**
 * Where references lead. Nothing is fetched: a reference leads to a place inside the schema or nowhere.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2
 */
import { isObject } from '../values.ts'
import { indexSchema } from './schema-index.ts'
import { invalid, type Run, type Schema, step, UNIT, unusable } from './run.ts'

/** A schema with an address of its own: the whole one, and each subschema with an `$id`. */
export interface Resource {
  readonly root: Schema
  uri: string
}

export interface Target {
  readonly schema: unknown
  readonly resource: Resource
}

/** Everything with an address, by `uri#anchor`; the resources also by the schema they begin with. */
export type Index = Map<unknown, Target>

function indexOf(run: Run): Index {
  return (run.index ??= indexSchema(run))
}

/** The `$id` of a schema, if it has one that counts. */
export function idOf({ dialect }: Run, schema: Schema): string | undefined {
  // Up to draft 7 everything beside a $ref is ignored.
  if (dialect <= 7 && schema.$ref !== undefined) return
  const id = schema.$id
  return typeof id === 'string' ? id : undefined
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
  if (typeof ref !== 'string') throw invalid(run)
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
    const foreign = ref.startsWith('#') ? '' : ', for nothing is fetched from elsewhere'
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
  for (const token of fragment.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) return
    schema = (schema as Schema)[key]
    resource = resourceAt(run, schema, resource)
  }
  return { schema, resource }
}

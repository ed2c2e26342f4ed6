/** Walks through a whole schema to find every `$id` and anchor. Most schemas do not need it. */
import { isObject } from '../values.ts'
import { idOf, type Index, type Resource } from './references.ts'
import { type Run, type Schema, type Scope, step, unusable } from './run.ts'

// Only these contain schemas: a value in `enum` or in an unknown keyword may look like one.
const SCHEMAS =
  /^(not|if|then|else|contains|propertyNames|(additional|unevaluated)(Items|Properties)|contentSchema|(all|any|one)Of|(prefixI|i)tems)$/
const MAPS = /^((patternP|p)roperties|\$defs|definitions|dependentSchemas|dependencies)$/

/** @throws {UnusableSchema} */
export function indexSchema(run: Run): Index {
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
    for (const name of [schema.$anchor, schema.$dynamicAnchor])
      if (typeof name === 'string') add(name)
  }
  return resource
}

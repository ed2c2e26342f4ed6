/** Reads `/openapi.json`. Names and schemas in it are those of tools, so only own properties are looked up. */
import { asArray, asRecord, text } from '../net/api.ts'

export type Schema = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  about: string
  schema: Schema
}

export interface Answer {
  status: string
  about: string
  mediaType: string
  schema: Schema | undefined
}

export interface Operation {
  id: string
  method: string
  path: string
  /** The component of a tool, or empty for what the gateway itself offers. */
  group: string
  title: string
  about: string
  parameters: Parameter[]
  /** Of the body, in JSON. */
  body: Schema | undefined
  answers: Answer[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const PLACES = new Set(['path', 'query', 'header'])

/** References in references: a document can refer in a circle. */
const DEEPEST = 24

export function readDocument(document: unknown): Operation[] {
  const { paths } = asRecord(document)
  return Object.entries(asRecord(paths)).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = own(item, method)
      return operation === undefined ? [] : readOperation(document, { path, method, operation })
    }),
  )
}

interface Found {
  path: string
  method: string
  operation: unknown
}

function readOperation(document: unknown, { path, method, operation }: Found): Operation {
  const { operationId, tags, summary, description, parameters, requestBody, responses } =
    asRecord(operation)
  return {
    id: text(operationId) ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    group: text(asArray(tags)[0]) ?? '',
    title: text(summary) ?? path,
    about: text(description) ?? '',
    parameters: asArray(parameters).flatMap((one) => readParameter(resolve(document, one))),
    body: contentOf(document, resolve(document, requestBody)).schema,
    answers: Object.entries(asRecord(responses)).map(([status, response]) => {
      const found = asRecord(resolve(document, response))
      return { status, about: text(found['description']) ?? '', ...contentOf(document, found) }
    }),
  }
}

function readParameter(value: unknown): Parameter[] {
  const { name, in: place, required, description, schema } = asRecord(value)
  if (typeof name !== 'string' || typeof place !== 'string' || !PLACES.has(place)) return []
  return [
    {
      name,
      in: place as Parameter['in'],
      required: required === true,
      about: text(description) ?? '',
      schema: asRecord(schema),
    },
  ]
}

function contentOf(document: unknown, holder: unknown): Pick<Answer, 'mediaType' | 'schema'> {
  const [mediaType, media] = Object.entries(asRecord(asRecord(holder)['content']))[0] ?? []
  const schema = own(media, 'schema')
  return {
    mediaType: mediaType ?? '',
    schema: schema === undefined ? undefined : asRecord(resolve(document, schema)),
  }
}

/** Follows `$ref` to a part of the document, also in what it finds there, to a limit. */
export function resolve(document: unknown, value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return {}
  if (Array.isArray(value)) return value.map((one) => resolve(document, one, depth + 1))
  const reference = own(value, '$ref')
  if (typeof reference === 'string') {
    const rest = Object.entries(value).filter(([name]) => name !== '$ref')
    const target = at(document, reference)
    // A schema that contains itself is shown once more, not for ever.
    const found = resolve(document, target, depth + (rest.length > 0 ? 1 : 6))
    return { ...asRecord(found), ...Object.fromEntries(rest) }
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, resolve(document, part, depth + 1)]),
  )
}

function at(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const names = reference.slice(2).split('/')
  return names.reduce<unknown>((part, name) => {
    return own(part, decode(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  }, document)
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function own(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

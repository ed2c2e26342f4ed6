/** The request that a form describes, and its samples in languages. */
import type { Operation, Schema } from './document.ts'
import { asRecord } from '../net/api.ts'

export interface Prepared {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string>
  body: unknown
}

/** The whole body in one field, where its schema has no properties. */
const WHOLE = 'body'

/** One schema with the parameters and the properties of the body, for a form. */
export function formSchema({ parameters, body }: Operation): Schema {
  const ofBody = propertiesOf(body)
  const required = parameters.filter((one) => one.required).map(({ name }) => name)
  const properties = Object.fromEntries([
    ...parameters
      .filter((one) => one.required)
      .map(({ name, schema, about }) => [name, described(schema, name, about)]),
    ...(body && !ofBody ? [[WHOLE, { title: 'Body', ...body }]] : []),
    ...Object.entries(ofBody ?? {}),
    ...parameters
      .filter((one) => !one.required && !Object.hasOwn(ofBody ?? {}, one.name))
      .map(({ name, schema, about }) => [name, described(schema, name, about)]),
  ]) as Schema
  const needed = body?.['required']
  return {
    type: 'object',
    properties,
    required: [
      ...required,
      ...(body && !ofBody ? [WHOLE] : []),
      ...(ofBody && Array.isArray(needed) ? (needed as unknown[]) : []),
    ],
  }
}

function described(schema: Schema, title: string, about: string): Schema {
  return { title, ...(about !== '' && { description: about }), ...schema }
}

function propertiesOf(body: Schema | undefined): Schema | undefined {
  const properties = body?.['properties']
  return typeof properties === 'object' && properties !== null ? asRecord(properties) : undefined
}

export function prepare(operation: Operation, args: Record<string, unknown>): Prepared {
  const { parameters, body, method } = operation
  const ofBody = propertiesOf(body)
  const left = new Map(Object.entries(args))
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let path = operation.path
  for (const { name, in: place, required } of parameters) {
    // An argument of a tool can have the name of a parameter; then it is the argument.
    if (!required && Object.hasOwn(ofBody ?? {}, name)) continue
    const value = left.get(name)
    left.delete(name)
    if (place === 'path') {
      path = path.replace(`{${name}}`, () => encodeURIComponent(wordOf(value ?? `{${name}}`)))
    }
    if (value === undefined) continue
    if (place === 'query') query.append(name, wordOf(value))
    if (place === 'header') headers[name] = wordOf(value)
  }
  const search = query.size > 0 ? `?${query.toString()}` : ''
  if (body === undefined) return { method, path: path + search, headers, body: undefined }
  const sent = ofBody ? Object.fromEntries(left) : left.get(WHOLE)
  headers['Content-Type'] = 'application/json'
  return { method, path: path + search, headers, body: sent ?? {} }
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Arguments for samples: what the schema gives as an example, or a value of its type. */
export function exampleArgs(operation: Operation): Record<string, unknown> {
  const schema = formSchema(operation)
  const properties = asRecord(schema['properties'])
  const required = schema['required'] as string[]
  return Object.fromEntries(required.map((name) => [name, exampleOf(asRecord(properties[name]))]))
}

function exampleOf(schema: Schema): unknown {
  const { examples, default: fallback, const: only, enum: choices, type, properties } = schema
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown
  if (fallback !== undefined) return fallback
  if (only !== undefined) return only
  if (Array.isArray(choices) && choices.length > 0) return choices[0] as unknown
  if (type === 'number' || type === 'integer') return schema['minimum'] ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  if (type === 'object' || properties !== undefined) return {}
  if (schema['format'] === 'uuid') return '00000000-0000-4000-8000-000000000000'
  return '…'
}

export interface Sample {
  name: string
  language: string
  code: string
}

export function samples(origin: string, prepared: Prepared): Sample[] {
  const { method, path, headers, body } = prepared
  const url = origin + path
  const json = body === undefined ? undefined : JSON.stringify(body)
  const curl = [
    `curl -s ${method === 'GET' || (method === 'POST' && json) ? '' : `-X ${method} `}${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`-d ${shell(json)}`]),
  ].join(' \\\n  ')
  const pretty = body === undefined ? '' : JSON.stringify(body, null, 2)
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(headers).length === 0 ? [] : [`  headers: ${JSON.stringify(headers)},`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${pretty.replaceAll('\n', '\n  ')}),`]),
  ]
  const ts = `const response = await fetch(${JSON.stringify(url)}${
    options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  })
console.log(response.status, await response.json())`
  const py = `import json, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method=${JSON.stringify(method)},
    headers=${JSON.stringify(headers)},${
      json === undefined ? '' : `\n    data=${JSON.stringify(json)}.encode(),`
    }
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`
  return [
    { name: 'curl', language: 'sh', code: curl },
    { name: 'TypeScript', language: 'ts', code: ts },
    { name: 'Python', language: 'python', code: py },
  ]
}

/** A word of a POSIX shell, whatever is in it. */
function shell(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

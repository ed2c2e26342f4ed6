/** The body of an operation: an argument for each property, or one for all of it. */
import { type ApiBody, type ApiField, isArrayOf, isObject, isString } from 'ftl-contract'
import { type Arguments, described, looksLikeCredential } from './arguments.ts'
import { argumentNameFor } from './names.ts'
import { type Fields, type References, textOf } from './references.ts'
import type { SchemaCopies } from './schema-copy.ts'
import { merged } from './schema-merge.ts'

interface Media {
  mediaType: string
  kind: ApiBody['kind']
  fields: Fields
}

/** In the order of preference. */
const KINDS: readonly [RegExp, ApiBody['kind']][] = [
  [/^application\/json$/, 'json'],
  [/^application\/([\w.+-]+\+json|\*)$|^\*\/\*$/, 'json'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^multipart\/form-data$/, 'multipart'],
  [/^text\/plain$/, 'text'],
  [/^(application\/(octet-stream|pdf|zip|gzip|x-tar)|image\/|audio\/|video\/)/, 'binary'],
  [/^(text\/|application\/(x-)?(ndjson|yaml|graphql)$)/, 'text'],
]

/** @returns the types of the body, if none of them can be sent. */
export function addBody(
  references: References,
  copies: SchemaCopies,
  given: unknown,
  to: Arguments,
): ApiBody | { unsupported: string } | undefined {
  const body = references.fields(given)
  const content = Object.entries(references.fields(body['content']))
  if (content.length === 0) return undefined
  const media = chosen(references, content)
  if (!media) return { unsupported: content.map(([type]) => type).join(', ') }
  const { mediaType, kind, fields } = media
  // Most documents that leave "required" out mean that there must be a body.
  const isRequired = body['required'] !== false
  const { value } = references.resolve(fields['schema'])
  const schema = isObject(value) ? value : {}
  const flat = kind === 'binary' || kind === 'text' ? undefined : flatten(references, schema)
  if (!flat) {
    if (kind === 'form' || kind === 'multipart') {
      // Stripe's document has a form without fields for each request that needs none.
      if (isEmptyObject(schema)) return undefined
      return { unsupported: `${mediaType} of anything but an object` }
    }
    const argument = argumentNameFor('body', 'body', to.names)
    const copy = kind === 'binary' ? FILE : copies.copy(fields['schema'])
    to.properties.set(
      argument,
      described(kind === 'text' ? { ...copy, type: 'string' } : copy, body),
    )
    if (isRequired) to.required.push(argument)
    return { mediaType, kind, argument }
  }
  const encodings = references.fields(fields['encoding'])
  const needed = isArrayOf(flat['required'], isString) ? flat['required'] : []
  const planned: ApiField[] = []
  for (const [name, part] of Object.entries(references.fields(flat['properties']))) {
    const property = references.fields(part)
    if (name === '__proto__' || copies.isReadOnly(part)) continue
    if (looksLikeCredential(name, property['description']) && kind === 'form') continue
    const argument = argumentNameFor(name, 'body', to.names)
    const isFile = kind === 'multipart' && isBytes(references, property)
    const isList = isFile && property['type'] === 'array'
    const copy = isFile ? (isList ? { type: 'array', items: FILE } : FILE) : copies.copy(part)
    to.properties.set(argument, described(copy, isFile ? fileText(property) : property))
    if (isRequired && needed.includes(name)) to.required.push(argument)
    const encoding = Object.hasOwn(encodings, name) ? references.fields(encodings[name]) : {}
    planned.push({ argument, name, ...(isFile && { isFile }), ...encodingOf(kind, encoding) })
  }
  return { mediaType, kind, fields: planned }
}

const FILE = { type: 'string', contentEncoding: 'base64' }

const fileText = ({ description }: Fields): Fields => ({
  description: `${textOf(description) ?? 'A file.'} The bytes in base64.`,
})

function chosen(references: References, content: readonly [string, unknown][]): Media | undefined {
  for (const [pattern, kind] of KINDS) {
    for (const [type, media] of content) {
      const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? ''
      if (!pattern.test(mediaType)) continue
      const isOpen = mediaType.includes('*')
      const sent = isOpen
        ? kind === 'json'
          ? 'application/json'
          : 'application/octet-stream'
        : mediaType
      return { mediaType: sent, kind, fields: references.fields(media) }
    }
  }
  return undefined
}

/** A plain object with known members; in any other, an argument of its own would lose something. */
function flatten(references: References, schema: Fields): Fields | undefined {
  const whole = Array.isArray(schema['allOf']) ? merged(references, schema) : schema
  if (!whole) return undefined
  const { type, properties, additionalProperties: rest } = whole
  if (type !== undefined && ![type].flat().includes('object')) return undefined
  if (!isObject(properties) || Object.keys(properties).length === 0) return undefined
  if (rest === true || (isObject(rest) && Object.keys(rest).length > 0)) return undefined
  const isPlain = !['oneOf', 'anyOf', 'not', 'if', 'patternProperties'].some(
    (name) => name in whole,
  )
  // Alternatives that only say which members are needed together do not hide members.
  return isPlain || onlyRequired(whole) ? whole : undefined
}

function isEmptyObject({ type, properties, additionalProperties: rest }: Fields): boolean {
  const isOpen = rest === true || (isObject(rest) && Object.keys(rest).length > 0)
  return type === 'object' && !isOpen && Object.keys(properties ?? {}).length === 0
}

function onlyRequired({ anyOf, oneOf, not, if: condition, patternProperties }: Fields): boolean {
  if (not !== undefined || condition !== undefined || patternProperties !== undefined) return false
  return [anyOf, oneOf].every(
    (list) =>
      list === undefined ||
      (Array.isArray(list) &&
        list.every(
          (part) => isObject(part) && Object.keys(part).every((key) => key === 'required'),
        )),
  )
}

function isBytes(references: References, property: Fields): boolean {
  const item = property['type'] === 'array' ? references.fields(property['items']) : property
  return (
    item['format'] === 'binary' ||
    item['contentMediaType'] === 'application/octet-stream' ||
    item['contentEncoding'] === 'binary'
  )
}

function encodingOf(kind: ApiBody['kind'], encoding: Fields): Partial<ApiField> {
  if (kind === 'multipart') {
    const mediaType = textOf(encoding['contentType'])
    return mediaType !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? { mediaType } : {}
  }
  if (kind !== 'form') return {}
  const { style, explode } = encoding
  const known = (['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const).find(
    (each) => each === style,
  )
  return {
    ...(known && { style: known }),
    ...(typeof explode === 'boolean' && { explode }),
  }
}

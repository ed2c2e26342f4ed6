/** The arguments of a tool: parameters and body of an operation in one flat object, without collisions. */
import type { ApiParameter, ApiStyle, JsonSchema } from 'ftl-contract'
import { argumentNameFor, TakenNames } from './names.ts'
import { type Fields, listOf, type References, textOf } from './references.ts'
import type { SchemaCopies } from './schema-copy.ts'
import { brief } from './text.ts'

/** What is collected while an operation is read. */
export interface Arguments {
  names: TakenNames
  properties: Map<string, JsonSchema>
  required: string[]
}

export const noArguments = (): Arguments => ({
  names: new TakenNames(),
  properties: new Map(),
  required: [],
})

/** Characters of the description of an argument. */
const MAX_DESCRIPTION = 400
/** OpenAPI says that these are ignored as parameters; the others belong to the connection. */
const NO_HEADER =
  /^(accept|content-type|authorization|cookie|host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|user-agent|proxy-.*)$/i
export const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
/** Of documents that name a credential as a parameter too, as Slack's does. */
const CREDENTIAL = /^(access[-_]?token|api[-_]?key|x-api-key|auth[-_]?token|x-auth-token)$/i

const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
} as const satisfies Record<ApiParameter['in'], readonly [ApiStyle, ...ApiStyle[]]>

/** @param isCredential whether a parameter is one of the credentials, which no caller gives. */
export function addParameters(
  references: References,
  copies: SchemaCopies,
  lists: readonly unknown[],
  isCredential: (place: string, name: string, description: unknown) => boolean,
  to: Arguments,
): ApiParameter[] {
  // One of the operation replaces one of the path.
  const all = new Map<string, Fields>()
  for (const list of lists) {
    for (const each of listOf(references, list)) {
      all.set(JSON.stringify([each['in'], each['name']]), each)
    }
  }
  const order = ['path', 'query', 'header', 'cookie']
  const sorted = [...all.values()].sort(
    (a, b) => order.indexOf(String(a['in'])) - order.indexOf(String(b['in'])),
  )
  return sorted.flatMap((each): ApiParameter[] => {
    const { in: place, name } = each
    if (!isPlace(place) || typeof name !== 'string' || name === '') return []
    if (place === 'header' && (NO_HEADER.test(name) || !HEADER_NAME.test(name))) return []
    if (place !== 'path' && isCredential(place, name, each['description'])) return []
    const argument = argumentNameFor(name, place, to.names)
    const media = mediaOf(references, each['content'])
    const schema = copies.copy(media ? media['schema'] : each['schema'])
    to.properties.set(
      argument,
      described(withLongIds(schema, place, references.fields(each['schema'])), each),
    )
    if (place === 'path' || each['required'] === true) to.required.push(argument)
    return [parameterOf(argument, place, name, each, media !== undefined)]
  })
}

/** A number has no more than 2^53 exact integers, and an id of 64 bits must keep its digits. */
function withLongIds(schema: JsonSchema, place: string, { type, format }: Fields): JsonSchema {
  const isLong = place === 'path' && type === 'integer' && format === 'int64'
  return isLong ? { ...schema, type: ['integer', 'string'], pattern: '^-?[0-9]+$' } : schema
}

function parameterOf(
  argument: string,
  place: ApiParameter['in'],
  name: string,
  given: Fields,
  isJson: boolean,
): ApiParameter {
  const known: readonly ApiStyle[] = STYLES[place]
  const style = known.find((each) => each === given['style']) ?? STYLES[place][0]
  const explode = typeof given['explode'] === 'boolean' ? given['explode'] : style === 'form'
  return {
    ...{ argument, name, in: place, style: isJson ? 'json' : style, explode },
    ...(given['allowReserved'] === true && place === 'query' && { allowReserved: true }),
  }
}

/** Whether a parameter that has the name of a credential is one, in an API that wants credentials. */
export function looksLikeCredential(name: string, description: unknown): boolean {
  return (
    CREDENTIAL.test(name) ||
    (name === 'token' && /^authentication token/i.test(textOf(description) ?? ''))
  )
}

/** With the words of the parameter, which say more than those of its type. */
export function described(schema: JsonSchema, { description, deprecated }: Fields): JsonSchema {
  const text = brief(textOf(description) ?? '', MAX_DESCRIPTION)
  return {
    ...schema,
    ...(text !== '' && { description: text }),
    ...(deprecated === true && { deprecated: true }),
  }
}

function mediaOf(references: References, content: unknown): Fields | undefined {
  const [first] = Object.values(references.fields(content))
  return first === undefined ? undefined : references.fields(first)
}

const isPlace = (value: unknown): value is ApiParameter['in'] =>
  typeof value === 'string' && Object.hasOwn(STYLES, value)

/**
 * A schema of arguments without forms at its top.
 *
 * Anthropic and OpenAI refuse a request, with all of its tools, if the schema of one has `anyOf`, `oneOf` or `allOf` there. All
 * members that some form has are published, and required is what each form requires. The server checks the arguments. A
 * sentence in the description says which of them belong together.
 *
 * @see https://github.com/makenotion/notion-mcp-server/issues/341
 */
import { type JsonSchema, memberOf } from 'ftl-contract'
import { ANY, FormReader, listOf, type Members, ownMembers } from './argument-forms.ts'

export interface FlatArguments {
  /** The same object if it has no forms at its top. */
  schema: JsonSchema
  /**
   * Which arguments belong together, for the description of the tool.
   *
   * @param nameOf what an argument is called there.
   * @returns `undefined` if they do not depend on each other, or if it takes too many words.
   */
  sentence: (nameOf: (name: string) => string) => string | undefined
}

/** What providers do not take at the top, and references, because few look where they lead. */
const NOT_AT_TOP = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const']

/** Would refuse what forms know. */
const OF_THE_REST = 'unevaluatedProperties'

/** Schemas of one argument that are published. */
const MOST_SCHEMAS = 20
/** Forms in a sentence, and its characters. */
const MOST_FORMS = 8
const LONGEST = 400

/** @param schema parsed JSON. It is not changed. */
export function flatArguments(schema: JsonSchema): FlatArguments {
  if (!NOT_AT_TOP.some((name) => Object.hasOwn(schema, name)))
    return { schema, sentence: () => undefined }
  const reader = new FormReader(schema)
  const { schemas, required, isClosed } = reader.members(schema, 0) ?? ownMembers(schema)
  const left = [...NOT_AT_TOP, OF_THE_REST, 'required']
  const kept = Object.entries(schema).filter(([name]) => !left.includes(name))
  const flat: JsonSchema = {
    ...Object.fromEntries(kept),
    type: 'object',
    properties: Object.fromEntries([...schemas].map(([name, some]) => [name, oneSchema(some)])),
    ...(required.size > 0 && { required: [...required] }),
    ...(isClosed && { additionalProperties: false }),
  }
  return { schema: flat, sentence: (nameOf) => sentenceOf(schema, reader, required, nameOf) }
}

/** @param always what is required in any case. */
function sentenceOf(
  schema: JsonSchema,
  reader: FormReader,
  always: ReadonlySet<string>,
  nameOf: (name: string) => string,
): string | undefined {
  const name = ['oneOf', 'anyOf'].find((each) => listOf(schema[each]).length > 1)
  const forms = name === undefined ? [] : listOf(schema[name])
  if (forms.length === 0 || forms.length > MOST_FORMS) return undefined
  const texts = forms.map((form) => textOf(reader.members(form, 1) ?? ANY, always, nameOf))
  const which = name === 'oneOf' ? 'exactly one' : 'at least one'
  const sentence = `Arguments: ${which} of (${texts.join('), (')}).`
  return texts.includes('') || sentence.length > LONGEST ? undefined : sentence
}

function oneSchema(some: ReadonlySet<unknown>): unknown {
  if (some.size > MOST_SCHEMAS) return {}
  const different = [...new Map([...some].map((each) => [JSON.stringify(each), each])).values()]
  return different.length === 1 ? different[0] : { anyOf: different }
}

function textOf(
  { required, schemas }: Members,
  always: ReadonlySet<string>,
  nameOf: (name: string) => string,
): string {
  const texts = [...required].flatMap((name) => {
    const [only, ...more] = schemas.get(name) ?? []
    const value =
      more.length > 0 ? undefined : (memberOf(only, 'const') ?? onlyOne(memberOf(only, 'enum')))
    if (value !== undefined) return [`${nameOf(name)}=${JSON.stringify(value)}`]
    return always.has(name) ? [] : [nameOf(name)]
  })
  return texts.join(', ')
}

const onlyOne = (list: unknown): unknown =>
  Array.isArray(list) && list.length === 1 ? (list[0] as unknown) : undefined

/** A list of types becomes `anyOf` with a form for each: many readers know one type only. */
import { isArrayOf, isString } from 'ftl-contract'
import { typeOfValue } from './constant-forms.ts'

type Schema = Record<string, unknown>

const OF_NUMBERS = /^(minimum|maximum|exclusiveM(in|ax)imum|multipleOf)$/

/** The keywords that concern values of one type only, so that they can be part of its form. */
const CONCERNING: ReadonlyMap<string, RegExp> = new Map([
  ['string', /^((min|max)Length|pattern|format|content(Encoding|MediaType|Schema))$/],
  ['number', OF_NUMBERS],
  ['integer', OF_NUMBERS],
  ['array', /^((prefixI|additionalI|i)tems|contains|(min|max)(Items|Contains)|uniqueItems)$/],
  [
    'object',
    /^((patternP|additionalP|p)roperties|required|propertyNames|(min|max)Properties|depend.+)$/,
  ],
])

/** `nullable`, of OpenAPI, is such a list, too. */
export function withFormPerType(schema: Schema): Schema {
  const { type, nullable, enum: listed, ...others } = schema
  const types = typesOf(type, nullable === true)
  // There can be one `anyOf` only, and the words of a constant would have to be taken apart.
  if (!types || others.anyOf !== undefined || others.const !== undefined) return schema
  const rest = nullable === undefined || nullable === true ? others : { ...others, nullable }
  const forms = types.flatMap((each): Schema[] => {
    const values = valuesOf(each, listed)
    if (values?.length === 0) return []
    // The type says it.
    return [{ type: each, ...(values && each !== 'null' && { enum: values }) }]
  })
  const [only] = forms
  if (!only) return schema
  if (forms.length === 1) return { ...only, ...rest }
  const common = Object.entries(rest).filter(([key, value]) => {
    const concerned = forms.filter((form) => CONCERNING.get(form.type as string)?.test(key))
    for (const form of concerned) form[key] = value
    return concerned.length === 0
  })
  return { anyOf: forms, ...Object.fromEntries(common) }
}

/** @returns `undefined` if there is one type or none. */
function typesOf(type: unknown, orNull: boolean): string[] | undefined {
  const list = isString(type) && orNull ? [type] : type
  if (!isArrayOf(list, isString) || list.length === 0) return undefined
  const types = new Set(orNull ? [...list, 'null'] : list)
  if (types.has('number')) types.delete('integer')
  return [...types]
}

function valuesOf(type: string, listed: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(listed)) return undefined
  return (listed as readonly unknown[]).filter((value) => {
    const own = typeOfValue(value)
    return own === type || (own === 'integer' && type === 'number')
  })
}

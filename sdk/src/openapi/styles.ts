/**
 * Values of parameters as the text of a request.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#style-values
 */
import { type ApiParameter, type ApiStyle, isNested, isObject } from 'ftl-contract'

/** How one parameter, or one field of a form, is written. */
export type Written = Pick<ApiParameter, 'name' | 'style' | 'explode' | 'allowReserved'>

type Encode = (text: string) => string

/** For every place in a URL: nothing of a value can end the part that it is in. */
export const encode: Encode = (text) => encodeURIComponent(text.toWellFormed())

/** Keeps characters such as `/` and `:`, but none that would begin another parameter or end the query. */
const encodeReserved: Encode = (text) =>
  encode(text).replace(/%(2F|3A|3F|40|24|2C|3B|5B|5D)/g, (escaped) => decodeURIComponent(escaped))

const plain: Encode = (text) => text

/** Visible characters, spaces and tabs: what else a header has would end it, or is not the same everywhere. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Of a list or an object within a parameter that has no form for it, the JSON. */
export const scalar = (value: unknown): string =>
  isNested(value) ? JSON.stringify(value) : String(value)

const encodeOf = ({ allowReserved }: Written) => (allowReserved ? encodeReserved : encode)

/** In a path, encoded. */
export function pathText(written: Written, value: unknown): string {
  const { name, style, explode } = written
  if (style === 'json') return encode(JSON.stringify(value))
  if (style === 'label') return `.${joined(value, explode ? '.' : ',', explode, encode)}`
  if (style !== 'matrix') return joined(value, ',', explode, encode)
  const key = encode(name)
  if (!explode || !isNested(value)) return `;${key}=${joined(value, ',', false, encode)}`
  return Array.isArray(value)
    ? value.map((item) => `;${key}=${encode(scalar(item))}`).join('')
    : `;${joined(value, ';', true, encode)}`
}

/** In a header, not encoded. */
export function headerText({ style, explode }: Written, value: unknown): string {
  return style === 'json' ? JSON.stringify(value) : joined(value, ',', explode, plain)
}

/**
 * `name=value` for a query, a form or a cookie, encoded. A list or an object may have several, or none; their parts that
 * are `null` have none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-2.3
 */
export function pairsOf(written: Written, value: unknown): string[] {
  const { name, style, explode } = written
  const write = encodeOf(written)
  const key = encode(name)
  if (style === 'json') return [`${key}=${encode(JSON.stringify(value))}`]
  if (style === 'deepObject') return deep(name, value, write, 0)
  if (!isNested(value)) return [`${key}=${write(String(value))}`]
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null).map((item) => write(scalar(item)))
    if (items.length === 0) return []
    if (explode) return items.map((item) => `${key}=${item}`)
    return [`${key}=${items.join(separatorOf(style))}`]
  }
  const members = Object.entries(value).filter(([, part]) => part !== null)
  if (members.length === 0) return []
  if (explode) return members.map(([each, part]) => `${encode(each)}=${write(scalar(part))}`)
  const texts = members.flatMap(([each, part]) => [encode(each), write(scalar(part))])
  return [`${key}=${texts.join(separatorOf(style))}`]
}

function separatorOf(style: ApiStyle): string {
  if (style === 'spaceDelimited') return '%20'
  return style === 'pipeDelimited' ? '%7C' : ','
}

/** Levels of a value in brackets; below them it is JSON. */
const MAX_DEPTH = 8

/** `a[b][c]=1` and, for lists, `a[0]=1`, which the form decoders of PHP, Rails and Node read. */
function deep(name: string, value: unknown, write: Encode, depth: number): string[] {
  if (value === null) return []
  if (!isNested(value) || depth === MAX_DEPTH) return [`${encode(name)}=${write(scalar(value))}`]
  return Object.entries(value).flatMap(([key, part]) =>
    deep(`${name}[${key}]`, part, write, depth + 1),
  )
}

/** `a,b`, `key,value` or, exploded, `key=value`. */
function joined(value: unknown, separator: string, explode: boolean, write: Encode): string {
  if (Array.isArray(value)) return value.map((item) => write(scalar(item))).join(separator)
  if (!isObject(value)) return write(String(value))
  const between = explode ? '=' : ','
  return Object.entries(value)
    .map(([key, part]) => `${write(key)}${between}${write(scalar(part))}`)
    .join(explode ? separator : ',')
}

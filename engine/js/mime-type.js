/** https://mimesniff.spec.whatwg.org/#parsing-a-mime-type, and the media type of a message. */
import {
  SafeMap,
  indexOf,
  mapForEach,
  mapGet,
  mapHas,
  mapSet,
  match,
  matches,
  replaceAll,
  substring,
  toLowerCase,
} from './primordials.js'

const TOKEN = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/
// Sticky: one parameter after the other, quoted or not.
const PARAMETER = /[\t\n\r ]*([^;=]*)(?:=(?:"((?:[^"\\]|\\[^])*\\?)(?:"|$)[^;]*|([^;]*)))?(?:;|$)/y
// All white space of HTTP at both ends, and at the end.
const AROUND = /^[\t\n\r ]+|[\t\n\r ]+$/g
const trim = (text) => replaceAll(text, AROUND, '')
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** @returns `{ essence, parameters }`, or undefined when the text is not a media type. */
export function mimeType(text) {
  const whole = trim(text)
  const end = indexOf(whole, ';')
  const essence = toLowerCase(trim(end === -1 ? whole : substring(whole, 0, end)))
  const slash = indexOf(essence, '/')
  if (
    slash === -1 ||
    !matches(TOKEN, substring(essence, 0, slash)) ||
    !matches(TOKEN, substring(essence, slash + 1))
  ) {
    return undefined
  }
  const parameters = new SafeMap()
  PARAMETER.lastIndex = end === -1 ? whole.length : end + 1
  while (PARAMETER.lastIndex < whole.length) {
    const found = match(PARAMETER, whole)
    if (found === null) break
    const name = toLowerCase(found[1])
    const value =
      found[2] === undefined
        ? found[3] && replaceAll(found[3], /[\t\n\r ]+$/g, '')
        : replaceAll(found[2], /\\[^]/g, (pair) => pair[1])
    if (value === undefined || (value === '' && found[2] === undefined)) continue
    if (matches(TOKEN, name) && matches(VALUE, value) && !mapHas(parameters, name))
      mapSet(parameters, name, value)
  }
  return { essence, parameters }
}

/** @returns the text of a media type. */
export function serializeMimeType({ essence, parameters }) {
  let text = essence
  mapForEach(parameters, (value, name) => {
    const shown = matches(TOKEN, value)
      ? value
      : `"${replaceAll(value, /["\\]/g, (c) => `\\${c}`)}"`
    text += `;${name}=${shown}`
  })
  return text
}

// One value of a list: a comma inside quotes belongs to it.
const ITEM = /(?:"(?:[^"\\]|\\[^])*\\?(?:"|$)|[^",])+/g

/**
 * The media type of a message. https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 *
 * @param values of all its `content-type` headers, joined with commas.
 */
export function extractMimeType(values) {
  let found
  let charset
  let essence
  ITEM.lastIndex = 0
  for (let item = match(ITEM, values); item !== null; item = match(ITEM, values)) {
    // The parser may use patterns of its own, but not this one.
    const type = mimeType(item[0])
    if (type === undefined || type.essence === '*/*') continue
    found = type
    const own = mapGet(type.parameters, 'charset')
    if (type.essence !== essence) {
      charset = own
      essence = type.essence
    } else if (own === undefined && charset !== undefined) {
      mapSet(type.parameters, 'charset', charset)
    }
  }
  return found
}

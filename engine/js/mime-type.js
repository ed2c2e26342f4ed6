/** https://mimesniff.spec.whatwg.org/#parsing-a-mime-type, as far as bodies need it. */
import {
  SafeMap,
  indexOf,
  mapHas,
  mapSet,
  match,
  matches,
  replaceAll,
  substring,
  toLowerCase,
  trim,
} from './primordials.js'

const TOKEN = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/
// Sticky: one parameter after the other, quoted or not.
const PARAMETER = /[\t\n\r ]*([^;=]*)(?:=(?:"((?:[^"\\]|\\[^])*)(?:"|$)[^;]*|([^;]*)))?(?:;|$)/y
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
        ? found[3] && trim(found[3])
        : replaceAll(found[2], /\\[^]/g, (pair) => pair[1])
    if (value === undefined || (value === '' && found[2] === undefined)) continue
    if (matches(TOKEN, name) && matches(VALUE, value) && !mapHas(parameters, name))
      mapSet(parameters, name, value)
  }
  return { essence, parameters }
}

/** JSON as APIs write it, before it is parsed. */
import { jsonOf } from 'ftl-contract'

/**
 * The same JSON with each character as it is, where JSON allows that: PHP writes `\/`, other languages `\u0026`. A secret
 * could not be found otherwise.
 */
export function plainEscapes(json: string): string {
  return json.replace(/\\(u[0-9a-f]{4}|[^u])/gi, (whole, escape: string) => {
    if (escape === '/') return '/'
    if (escape.length === 1) return whole
    const code = Number.parseInt(escape.slice(1), 16)
    // Halves of a character are joined by this too, as both become what they are.
    const character = String.fromCharCode(code)
    return code < 0x20 || '"\\'.includes(character)
      ? JSON.stringify(character).slice(1, -1)
      : character
  })
}

/** The value of JSON. Integers that lose digits as numbers are strings: an API would act on another object. */
export function exactValue(json: string): unknown {
  const value = jsonOf(json)
  return value !== undefined && /\d{16}/.test(json) ? jsonOf(withTexts(json)) : value
}

/** @param json must be valid. */
function withTexts(json: string): string {
  let result = ''
  let copied = 0
  const next = /"|\d{16,}/g
  for (let found = next.exec(json); found; found = next.exec(json)) {
    const [text] = found
    if (text === '"') {
      next.lastIndex = endOfString(json, found.index) + 1
      continue
    }
    const start = json[found.index - 1] === '-' ? found.index - 1 : found.index
    const end = next.lastIndex
    // Of a fraction and an exponent, digits are lost in all languages.
    const isPart = /[\d.eE+]/.test(json[start - 1] ?? '') || /[.eE]/.test(json[end] ?? '')
    if (isPart || Number.isSafeInteger(Number(text))) continue
    result += `${json.slice(copied, start)}"${json.slice(start, end)}"`
    copied = end
  }
  return result + json.slice(copied)
}

function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    if (end < 0) return json.length
    let before = end
    while (json[before - 1] === '\\') before--
    if ((end - before) % 2 === 0) return end
  }
}

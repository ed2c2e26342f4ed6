/** A string in quotes, as `util.inspect` shows it. */
import { charCodeAt, matches, replaceAll, substring } from './primordials.js'

const MAX_STRING = 10_000

export function quote(text) {
  const rest = text.length - MAX_STRING
  const shown = rest > 0 ? substring(text, 0, MAX_STRING) : text
  const mark = !matches(/'/, shown)
    ? "'"
    : !matches(/"/, shown)
      ? '"'
      : !matches(/`|\$\{/, shown)
        ? '`'
        : "'"
  const escaped = replaceAll(shown, /[\0-\x1f\x7f-\x9f\\'\ud800-\udfff]/gu, (character) =>
    escapeOne(character, mark),
  )
  return (
    mark + escaped + mark + (rest > 0 ? `... ${rest} more character${rest === 1 ? '' : 's'}` : '')
  )
}
const SHORT = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\\': '\\\\',
}
function escapeOne(character, mark) {
  if (character === "'") return mark === "'" ? "\\'" : "'"
  const code = charCodeAt(character, 0)
  const hex = code.toString(16).toUpperCase()
  return SHORT[character] ?? (code > 0xff ? `\\u${hex}` : `\\x${code < 16 ? '0' : ''}${hex}`)
}

/**
 * Second line of defence for arguments: the gateway has taken out what the tool's schema calls a secret, and this takes
 * out what is named like one, because authors forget to say so.
 */

export const REDACTED = '[redacted]'

const SECRET =
  /pass(word|wd|phrase|code)?$|pwd|secret|token|credential|authori[sz]ation|api[-_]?key|private[-_]?key|access[-_]?key|cookie|session[-_]?id|^auth$|bearer|^pin$|^otp$|signature/i

/** Credentials inside a text: `Bearer …`, user and password of an address, keys with a well-known beginning. */
const IN_TEXT =
  /\b(bearer|basic)\s+[\w+/=._~-]{8,}|(?<=:\/\/)[^\s/@:]*:[^\s/@]+(?=@)|\b(sk|pk|ghp|gho|xox[abp]|ftl)[-_][\w-]{12,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/gi

const MAX_DEPTH = 12
const MAX_VALUES = 2000
const MAX_TEXT = 2000

/** A copy without secrets, of bounded size. */
export function redactNames(value: unknown): unknown {
  let left = MAX_VALUES

  function walk(part: unknown, depth: number): unknown {
    if (--left < 0 || depth > MAX_DEPTH) return '[too long]'
    if (typeof part === 'string') {
      const text = part.length > MAX_TEXT ? `${part.slice(0, MAX_TEXT)}…` : part
      return text.replace(IN_TEXT, REDACTED)
    }
    if (Array.isArray(part)) return part.slice(0, left + 1).map((item) => walk(item, depth + 1))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => [
        key,
        SECRET.test(key) ? REDACTED : walk(member, depth + 1),
      ]),
    )
  }

  return walk(value, 0)
}

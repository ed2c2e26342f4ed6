/**
 * The formats that are checked; any other is only said.
 *
 * JSON Schema leaves it open whether a format is a rule. These are checked for what a caller may easily get wrong,
 * and with few words: where the full grammar is long, more is accepted than it allows.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */

// Each of these takes linear time, whatever a client sends.
const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
const HOSTNAME = /^(?!.{254})[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i
const MAILBOX = /^("([^"\\]|\\.)+"|[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*)$/
const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/
const NOT_IN_URI = /[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![\da-f]{2})/i
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

type Test = (text: string) => boolean

const matches =
  (pattern: RegExp): Test =>
  (text) =>
    pattern.test(text)

// The engine has a parser of addresses.
const isUrl: Test = (text) => {
  try {
    return !!new URL(text, 'a://b')
  } catch {
    return false
  }
}

// A day that is not in the calendar becomes another one or none.
const isDate: Test = (text) =>
  DATE.test(text) && !!new Date(`${text}T00:00Z`).toJSON()?.startsWith(text)
const isTime = matches(TIME)
const isHostname = matches(HOSTNAME)

export const FORMATS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['date', isDate],
  ['time', isTime],
  [
    'date-time',
    (text) => /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  ],
  [
    'email',
    (text) => {
      const at = text.lastIndexOf('@')
      const host = text.slice(at + 1)
      return (
        at > 0 &&
        at < 65 &&
        MAILBOX.test(text.slice(0, at)) &&
        (isHostname(host) || /^\[[\w:.]+\]$/.test(host))
      )
    },
  ],
  ['hostname', isHostname],
  ['ipv4', matches(IPV4)],
  ['ipv6', (text) => /^[\da-f:.]+$/i.test(text) && isUrl(`//[${text}]`)],
  ['uri', (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && !NOT_IN_URI.test(text) && isUrl(text)],
  ['uuid', matches(UUID)],
])

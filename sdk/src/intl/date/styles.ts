/** The patterns of `dateStyle` and `timeStyle`. */
import { copyFields, type Fields, type Pattern } from './pattern.ts'

const DATE_FIELDS: Readonly<Record<string, Fields>> = {
  full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  medium: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { year: '2-digit', month: 'numeric', day: 'numeric' },
}
const ZONES: Readonly<Record<string, string>> = { full: 'long', long: 'short' }

export function stylePattern(
  dateStyle: string | undefined,
  timeStyle: string | undefined,
  isBritish: boolean,
  isHalfDay: boolean,
): Pattern {
  const fields = copyFields((dateStyle !== undefined && DATE_FIELDS[dateStyle]) || {})
  let date = ''
  if (dateStyle === 'short') {
    date = isBritish ? '%d/%M/%y' : '%M/%d/%y'
    if (isBritish) Object.assign(fields, { year: 'numeric', month: '2-digit', day: '2-digit' })
  } else if (dateStyle !== undefined) {
    date = isBritish ? '%d %M %y' : '%M %d, %y'
    if (dateStyle === 'full') date = `%E, ${date}`
  }
  let time = ''
  if (timeStyle !== undefined) {
    const isPadded = isBritish || !isHalfDay
    Object.assign(fields, { hour: isPadded ? '2-digit' : 'numeric', minute: '2-digit' })
    time = '%h:%m'
    if (timeStyle !== 'short') {
      fields.second = '2-digit'
      time += ':%s'
    }
    if (isHalfDay) time += ' %a'
    const timeZoneName = ZONES[timeStyle]
    if (timeZoneName !== undefined) {
      fields.timeZoneName = timeZoneName
      time += ' %z'
    }
  }
  const glue = dateStyle === 'full' || dateStyle === 'long' ? ' at ' : ', '
  return { text: [date, time].filter(Boolean).join(glue), fields }
}

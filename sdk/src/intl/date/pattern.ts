/**
 * The order of the fields of a date, as ICU chooses it for English from what is asked for.
 *
 * A pattern is text in which `%` and a letter stand for a field: E weekday, G era, y year, M month, d day, B day period,
 * a AM or PM, h hour, m minute, s second, S its fraction, z time zone.
 */
import { BRITISH_DATES, DATES } from '../data/dates.ts'

/** The fields that are asked for, with their width. */
export interface Fields {
  weekday?: string
  era?: string
  year?: string
  month?: string
  day?: string
  dayPeriod?: string
  hour?: string
  minute?: string
  second?: string
  fractionalSecondDigits?: number
  timeZoneName?: string
}

export interface Pattern {
  text: string
  /** As they are shown, which may be wider than asked for. */
  fields: Fields
}

export function choosePattern(asked: Fields, isBritish: boolean, isHalfDay: boolean): Pattern {
  const fields = copyFields(asked)
  const date = datePattern(fields, isBritish)
  const time = timePattern(fields, asked, isBritish, isHalfDay)
  // Only together with hours and minutes, a weekday is part of the time.
  const isDayAndTime =
    date === '%E' &&
    !/%[Sz]/.test(time) &&
    time.includes('%h') &&
    (isHalfDay || time.includes('%m'))
  const glue =
    date === '' || time === '' ? '' : isDayAndTime ? ' ' : fields.month === 'long' ? ' at ' : ', '
  return { text: date + glue + time, fields }
}

/** Without a prototype, which could have fields that were not asked for. */
export function copyFields(fields: Fields): Fields {
  return Object.assign(Object.create(null) as Fields, fields)
}

function datePattern(fields: Fields, isBritish: boolean): string {
  const { weekday, era, year, month, day } = fields
  const isDigit = month === 'numeric' || month === '2-digit'
  const parts = [
    weekday && 'E',
    era && 'G',
    year && 'y',
    month && (isDigit ? 'm' : 'M'),
    day && 'd',
  ]
  const key = parts.filter(Boolean).join('')
  if (key === '') return ''
  if (key === 'G') return '%G'
  const table = isBritish ? BRITISH_DATES : DATES
  const at = table.indexOf(`|${key}=`) + key.length + 2
  const text = table.slice(at, table.indexOf('|', at))
  // British digits are padded: a number is asked for in all fields, or there is more than digits.
  const isPadded = weekday || era || (month === 'numeric' && (!day || day === 'numeric'))
  if (isPadded && text.includes('%L')) fields.month = '2-digit'
  if (isPadded && text.includes('%D')) fields.day = '2-digit'
  return text.replace('%L', '%M').replace('%D', '%d')
}

function timePattern(
  fields: Fields,
  { hour, minute, second, fractionalSecondDigits, dayPeriod, timeZoneName }: Fields,
  isBritish: boolean,
  isHalfDay: boolean,
): string {
  const zone = timeZoneName ? '%z' : ''
  let text = ''
  if (minute || second || fractionalSecondDigits) {
    const hasSecond = second || (minute && fractionalSecondDigits)
    text = [minute && '%m', hasSecond && '%s'].filter(Boolean).join(':')
    if (hasSecond) fields.second = 'numeric'
    if (minute) fields.minute = 'numeric'
    if (minute && (hour || hasSecond)) fields.minute = '2-digit'
    if (minute && hasSecond) fields.second = '2-digit'
    if (fractionalSecondDigits) text += hasSecond ? '.%S' : '%S'
  }
  if (hour) {
    if (!isHalfDay)
      fields.hour = isShortHour(fields, second, isBritish, hour, minute) ? 'numeric' : '2-digit'
    const period = !isHalfDay ? '' : dayPeriod ? ' %B' : ' %a'
    if (!dayPeriod || !isHalfDay) delete fields.dayPeriod
    if (minute || text === '') text = `%h${text && ':'}${text}${period}`
    else text = `%h${period} (second: ${text})`
  } else if (dayPeriod) {
    text = text === '' ? '%B' : `${text} %B`
  }
  return [text, zone].filter(Boolean).join(' ')
}

/** British hours are padded, but for these combinations. */
function isShortHour(
  { weekday, month, day, timeZoneName }: Fields,
  second: string | undefined,
  isBritish: boolean,
  hour: string,
  minute: string | undefined,
): boolean {
  const isDayAlone = weekday && !month && !day
  if (!isBritish || hour === '2-digit' || !minute || isDayAlone) return false
  if (timeZoneName) return second !== undefined && !timeZoneName.endsWith('Offset')
  return minute === '2-digit' && (second === undefined || second === '2-digit')
}

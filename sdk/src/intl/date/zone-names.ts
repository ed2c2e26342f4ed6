import { BRITISH_SHORT_NAMES, NAMES, SHORT_NAMES } from '../data/zones.ts'
import type { Period, Zone } from './zone.ts'

const ENDINGS = [' Standard Time', ' Summer Time', ' Daylight Time', ' Time']

/** https://tc39.es/ecma402/#table-datetimeformat-components: how a time zone is named. */
export function zoneName(zone: Zone, period: Period, width: string, isBritish: boolean): string {
  const isShort = width.startsWith('short')
  const isOffset = width.endsWith('Offset')
  if (isOffset) return offsetName(period.offset, isShort)
  const isUtc = zone.id === 'UTC'
  if (isUtc) {
    if (width.endsWith('Generic')) return offsetName(0, isShort)
    return isShort ? 'UTC' : 'Coordinated Universal Time'
  }
  const name = period.name < 0 ? undefined : NAMES.split('|')[period.name]?.replace('`', '’')
  if (name !== undefined) {
    const short = isShort ? shortName(zone, name, isBritish) : undefined
    if (width === 'longGeneric') return `${name.slice(0, -1)} Time`
    if (width === 'shortGeneric' && short !== undefined) return short.replace(/[SD]T$/, 'T')
    // The only name that the British write in another way.
    const place = isBritish ? name.replace(/^St\. /, 'St ') : name
    if (!isShort) return place.slice(0, -1) + (ENDINGS[Number(name.at(-1))] ?? '')
    if (short !== undefined) return short
  }
  return offsetName(period.offset, isShort)
}

function shortName(zone: Zone, name: string, isBritish: boolean): string | undefined {
  const table = isBritish ? BRITISH_SHORT_NAMES : SHORT_NAMES
  for (const key of [zone.id, name]) {
    const at = table.indexOf(`|${key}:`)
    const start = at + key.length + 2
    if (at >= 0) return table.slice(start, table.indexOf('|', start))
  }
  return undefined
}

/** Such as GMT+5:30 and GMT-08:00. */
function offsetName(offset: number, isShort: boolean): string {
  const seconds = Math.round(Math.abs(offset) * 60)
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ].map((part) => String(part).padStart(2, '0'))
  let text = isShort ? String(Number(hours)) : (hours ?? '')
  if (!isShort || minutes !== '00' || rest !== '00') text += `:${minutes}`
  if (rest !== '00') text += `:${rest}`
  return `GMT${offset < 0 ? '-' : '+'}${text}`
}

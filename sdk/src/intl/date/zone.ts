/** Time zones: offsets from UTC since 1970, from the list that `npm run intl-data` makes. */
import { ALIASES, CHANGES, ZONES } from '../data/zones.ts'

export interface Period {
  /** Minutes east of Greenwich. */
  offset: number
  /** Of {@link NAMES}; -1 if it has no name. */
  name: number
}

export interface Zone {
  id: string
  periods: readonly Period[]
  /** Minutes since 1970 when each period of `order` but the first begins. */
  changes: readonly number[]
  /** Indexes of the periods, in order of time. */
  order: readonly number[]
}

const MINUTE = 60_000
/** The list has no later changes: after it, the rules of its last years go on. */
const LAST_YEAR = 2037
const END = Date.UTC(LAST_YEAR + 1, 0, 1)
const WEEK = 7 * 24 * 60 * MINUTE

const zones = new Map<string, Zone>()

/** @throws {RangeError} of a time zone that does not exist. */
export function findZone(text: string): Zone {
  const known = zones.get(text)
  if (known) return known
  const zone = fixedZone(text) ?? listedZone(text)
  if (!zone) throw new RangeError(`Invalid time zone specified: ${text.slice(0, 60)}`)
  // A caller that tries names without end must not fill the memory.
  if (zones.size < 500) zones.set(text, zone)
  return zone
}

/** `+05:30`, `-08`, `Etc/GMT+5` and `UTC`. */
function fixedZone(text: string): Zone | undefined {
  if (text === 'UTC') return fixed(text, 0)
  const [, sign, hours, minutes = '00'] = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/.exec(text) ?? []
  if (hours !== undefined) {
    const total = Number(hours) * 60 + Number(minutes)
    const shown = total === 0 ? '+' : sign
    return fixed(`${shown}${hours}:${minutes}`, sign === '-' ? -total : total)
  }
  const [, west, count] = /^etc\/gmt([+-])(\d\d?)$/i.exec(text) ?? []
  // West of Greenwich is +, as POSIX has it.
  const most = west === '+' ? 12 : 14
  if (count === undefined || Number(count) > most || /^0./.test(count)) return undefined
  if (Number(count) === 0) return fixed('UTC', 0)
  return fixed(`Etc/GMT${west}${count}`, Number(count) * (west === '+' ? -60 : 60))
}

function fixed(id: string, offset: number): Zone {
  // Greenwich Mean Time is the first of the names.
  const name = id === '+00:00' ? 0 : -1
  return { id, periods: [{ offset, name }], changes: [], order: [0] }
}

function listedZone(text: string): Zone | undefined {
  if (text.length > 60 || !/^[\w+/-]+$/.test(text)) return undefined
  const alias = lineOf(ALIASES, text)
  if (alias?.rest === 'UTC') return fixed('UTC', 0)
  const line = lineOf(ZONES, alias?.rest ?? text)
  if (!line) return undefined
  const same = line.rest.startsWith('=') ? lineOf(ZONES, line.rest.slice(1)) : undefined
  return decode(line.name, (same ?? line).rest)
}

/** The line that begins with the name, in any case. */
function lineOf(table: string, name: string): { name: string; rest: string } | undefined {
  let at = table.indexOf(`\n${name}|`)
  if (at < 0) at = table.toLowerCase().indexOf(`\n${name.toLowerCase()}|`)
  if (at < 0) return undefined
  const start = at + name.length + 2
  return {
    name: table.slice(at + 1, start - 1),
    rest: table.slice(start, table.indexOf('\n', start)),
  }
}

/** Reads what `scripts/intl-data/zones.ts` writes. */
function decode(id: string, text: string): Zone {
  const [types = '', runs = ''] = text.split('|')
  const periods = types.split(' ').map((type): Period => {
    const [offset, name] = type.split(',')
    return { offset: Number(offset), name: name === undefined ? -1 : parseInt(name, 36) }
  })
  const [first = '0', ...rest] = runs.split(' ')
  const order = [parseInt(first, 36)]
  const changes: number[] = []
  for (const run of rest) {
    const [, start = '', count = '', clock, cycle = ''] =
      /^(\w+)\.(\w+)([uw])(\w+)$/.exec(run) ?? []
    for (let index = 0; index < parseInt(count, 36); index++) {
      const time = changeAt(parseInt(start, 36) + index)
      const before = periods[order.at(-1) ?? 0]?.offset ?? 0
      changes.push(clock === 'w' ? time - Math.trunc(before) : time)
      order.push(parseInt(cycle[index % cycle.length] ?? '0', 36))
    }
  }
  return { id, periods, changes, order }
}

/** Minutes since 1970, on the clock of the run. */
function changeAt(index: number): number {
  let value = 0
  for (let at = index * 4; at < index * 4 + 4; at++)
    value = value * 80 + CHANGES.charCodeAt(at) - 40
  return value - 2880
}

export function periodAt(zone: Zone, time: number): Period {
  const minute = Math.floor(recent(zone, time) / MINUTE)
  let [low, high] = [0, zone.changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((zone.changes[middle] ?? 0) <= minute) low = middle + 1
    else high = middle
  }
  return zone.periods[zone.order[low] ?? 0] ?? { offset: 0, name: -1 }
}

/**
 * The same moment of a year in the list whose days have the same weekdays. Of all weekdays there is one among its last
 * years, for the days before March and for those from March on.
 */
function recent(zone: Zone, time: number): number {
  const last = zone.changes.at(-1) ?? 0
  if (time < END || last * MINUTE < Date.UTC(LAST_YEAR, 0, 1)) return time
  const date = new Date(time)
  const month = date.getUTCMonth() < 2 ? 0 : 2
  const start = Date.UTC(date.getUTCFullYear(), month, 1)
  let like = LAST_YEAR
  while ((start - Date.UTC(like, month, 1)) % WEEK !== 0 && like > LAST_YEAR - 28) like--
  return Date.UTC(like, month, 1) + (time - start)
}

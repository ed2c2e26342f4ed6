/** Offsets and English names of all time zones since 1970, found by asking ICU at each time. */
import { zoneAliases } from './zone-aliases.ts'

const MINUTE = 60_000
const START = 0
const END = Date.UTC(2038, 0, 1)
/** Shorter than any time between two changes that cancel each other. */
const STEP = 9 * 24 * 60 * MINUTE

interface Change {
  /** Minutes since 1970, when the period begins. */
  at: number
  /** Seconds east of Greenwich. */
  offset: number
  /** Such as Pacific Daylight Time. */
  name: string
}

export function zoneData() {
  const zones = new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone, changesOf(zone)]))
  const names = [...new Set([...zones.values()].flat().map(({ name }) => name))].filter(
    (name) => !name.startsWith('GMT'),
  )
  const tokens: number[] = []
  let lines = ''
  const seen = new Map<string, string>()
  for (const [zone, changes] of zones) {
    const key = JSON.stringify(changes)
    const same = seen.get(key)
    lines += `${zone}|${same === undefined ? encodeZone(changes, names, tokens) : `=${same}`}\n`
    if (same === undefined && changes.length > 1) seen.set(key, zone)
  }
  return {
    /** A zone in each line: name, its periods of time, and which of them follow each other. */
    ZONES: `\n${lines}`,
    /** Times of changes in minutes since two days before 1970, each in four characters from ( on, as digits of base 80. */
    CHANGES: tokens.map((at) => fourDigits(at + 2880)).join(''),
    NAMES: names.map(shortened).join('|').replaceAll('’', '`'),
    SHORT_NAMES: shortNames(zones, 'en-US'),
    BRITISH_SHORT_NAMES: shortNames(zones, 'en-GB'),
    ALIASES: `\n${zoneAliases(zones.keys())
      .map(([alias, zone]) => `${alias}|${zone}\n`)
      .join('')}`,
  }
}

function fourDigits(value: number): string {
  return [80 ** 3, 80 ** 2, 80, 1]
    .map((unit) => String.fromCharCode(40 + (Math.floor(value / unit) % 80)))
    .join('')
}

/** The most frequent endings of names. */
function shortened(name: string): string {
  const endings = [' Standard Time', ' Summer Time', ' Daylight Time', ' Time']
  const index = endings.findIndex((ending) => name.endsWith(ending))
  return index < 0 ? name : name.slice(0, -(endings[index]?.length ?? 0)) + String(index)
}

function changesOf(zone: string): Change[] {
  const stateAt = reader(zone)
  const changes: Change[] = [{ at: 0, ...stateAt(START) }]
  const isSame = (a: Omit<Change, 'at'>, b: Omit<Change, 'at'>) =>
    a.offset === b.offset && a.name === b.name
  for (let time = START; time < END; time += STEP) {
    const next = Math.min(time + STEP, END)
    const last = changes.at(-1)
    const state = stateAt(next)
    if (!last || isSame(state, last)) continue
    let [low, high] = [time, next]
    while (high - low > MINUTE) {
      const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE
      if (isSame(stateAt(middle), last)) low = middle
      else high = middle
    }
    changes.push({ at: high / MINUTE, ...state })
  }
  return changes
}

function reader(timeZone: string): (time: number) => Omit<Change, 'at'> {
  const [offsets, names] = (['longOffset', 'long'] as const).map(
    (timeZoneName) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName }),
  )
  return (time) => ({
    offset: offsetOf(zoneName(offsets, time)),
    name: zoneName(names, time),
  })
}

function zoneName(format: Intl.DateTimeFormat | undefined, time: number): string {
  return format?.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text) ?? []
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -total : total
}

/**
 * Zones of one rule change at the same time of a clock: of the world (`u`) or of the place (`w`). So a run of changes is
 * `START.COUNT.CLOCK.PERIODS`, from a list that all zones share.
 */
function encodeZone(
  changes: readonly Change[],
  names: readonly string[],
  tokens: number[],
): string {
  const periods: string[] = []
  const indexOf = ({ offset, name }: Change) => {
    const at = names.indexOf(name)
    const period = (offset / 60).toString() + (at < 0 ? '' : `,${at.toString(36)}`)
    const found = periods.indexOf(period)
    return found < 0 ? periods.push(period) - 1 : found
  }
  const [first, ...rest] = changes
  if (!first) throw new Error('a zone has a period')
  let text = letter(indexOf(first))
  let at = 0
  while (at < rest.length) {
    const run = longestRun(changes, at + 1, tokens)
    const indexes = rest.slice(at, at + run.count).map(indexOf)
    const cycle = cycleOf(indexes)
    text += ` ${run.start.toString(36)}.${run.count.toString(36)}${run.clock}${cycle.map(letter).join('')}`
    at += run.count
  }
  return `${periods.join(' ')}|${text}`
}

const letter = (index: number) => index.toString(36)

/** The shortest list that, repeated, begins with all of it. */
function cycleOf(indexes: readonly number[]): number[] {
  for (let length = 1; length < indexes.length; length++) {
    if (indexes.every((value, at) => value === indexes[at % length]))
      return indexes.slice(0, length)
  }
  return [...indexes]
}

const onClock = (changes: readonly Change[], index: number, clock: string) => {
  const change = changes[index]
  const before = changes[index - 1]
  if (!change || !before) return NaN
  return clock === 'u' ? change.at : change.at + Math.trunc(before.offset / 60)
}

/** Adds the change to the list if no zone before had it. */
function longestRun(changes: readonly Change[], from: number, tokens: number[]) {
  let best = { start: -1, count: 0, clock: 'u' }
  for (const clock of ['w', 'u']) {
    for (let start = 0; start < tokens.length; start++) {
      let count = 0
      while (
        start + count < tokens.length &&
        tokens[start + count] === onClock(changes, from + count, clock)
      ) {
        count++
      }
      if (count > best.count) best = { start, count, clock }
    }
  }
  if (best.count > 1) return best
  // Until the next change that another zone had as well.
  let count = 0
  const clock = prefersWorld(changes, from) ? 'u' : 'w'
  const start = tokens.length
  do {
    tokens.push(onClock(changes, from + count, clock))
    count++
  } while (from + count < changes.length && !hasRun(changes, from + count, tokens, start))
  return { start, count, clock }
}

function hasRun(
  changes: readonly Change[],
  from: number,
  tokens: readonly number[],
  end: number,
): boolean {
  return ['w', 'u'].some((clock) => {
    const wanted = [0, 1, 2, 3].map((index) => onClock(changes, from + index, clock))
    for (let start = 0; start + 3 < end; start++) {
      if (wanted.every((value, index) => value === tokens[start + index])) return true
    }
    return false
  })
}

/** Whether the changes follow the clock of the world: at its full hour in spring and in autumn. */
function prefersWorld(changes: readonly Change[], from: number): boolean {
  const last = changes.length - 1
  const hours = ['u', 'w'].map((clock) =>
    [last, last - 1].map((index) => onClock(changes, index, clock) % 1440),
  )
  return last > from && hours[0]?.[0] === hours[0]?.[1] && hours[1]?.[0] !== hours[1]?.[1]
}

/** What the locale abbreviates: by name, and by zone where it is another one. */
function shortNames(
  zones: ReadonlyMap<string, readonly Change[]>,
  locale: 'en-US' | 'en-GB',
): string {
  const found = new Map<string, string>()
  for (const [timeZone, changes] of zones) {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
    for (const { at, name } of changes) {
      const short = zoneName(format, at * MINUTE)
      const known = found.get(name)
      if (/^GMT./.test(short)) continue
      if (known === undefined) found.set(name, short)
      // The last period: at the limits of others, ICU itself takes the next one's.
      else if (known !== short && at === changes.at(-1)?.at) found.set(timeZone, short)
    }
  }
  return `${[...found].map(([name, short]) => `|${shortened(name)}:${short}`).join('')}|`
}

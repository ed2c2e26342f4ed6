// What libraries make of `Intl`: the same in Node and in a component, if its Intl is right.
import { CronExpressionParser } from 'cron-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { DateTime, Duration, IANAZone, Info, Interval } from 'luxon'

const AT = DateTime.fromISO('2026-07-15T13:45:30.123Z', { zone: 'utc' }).setLocale('en-US')

export function libraryResults(): Record<string, unknown> {
  return {
    zones: ['America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'].map(
      (zone) => AT.setZone(zone).toISO(),
    ),
    presets: [
      AT.setZone('Europe/Berlin').toLocaleString(DateTime.DATETIME_MED),
      AT.setZone('Asia/Tokyo').toLocaleString(DateTime.DATETIME_FULL),
      AT.setZone('America/Los_Angeles').toLocaleString(DateTime.DATETIME_HUGE_WITH_SECONDS),
      AT.setLocale('en-GB').toLocaleString(DateTime.DATETIME_SHORT),
      AT.toLocaleString(DateTime.TIME_24_WITH_SECONDS),
    ],
    tokens: AT.setZone('America/New_York').toFormat(
      "EEEE, d LLLL yyyy 'at' h:mm a ZZZZ ZZZZZ, kkkk-'W'WW",
    ),
    parsed: DateTime.fromFormat('March 5, 2026 4:05 PM', 'LLLL d, yyyy h:mm a', {
      zone: 'America/Chicago',
      locale: 'en-US',
    }).toISO(),
    gap: DateTime.fromISO('2026-03-29T01:30', { zone: 'Europe/Berlin' }).plus({ hours: 1 }).toISO(),
    relative: [
      AT.toRelative({ base: AT.plus({ days: 3 }) }),
      AT.toRelativeCalendar({ base: AT.plus({ days: 1 }) }),
    ],
    human: Duration.fromObject({ hours: 3, minutes: 1 }, { locale: 'en-US' }).toHuman(),
    interval: Interval.after(AT, { days: 2 }).toLocaleString(DateTime.DATE_MED),
    names: [
      Info.months('short', { locale: 'en' }),
      Info.weekdays('narrow', { locale: 'en' }),
      Info.meridiems({ locale: 'en' }),
    ],
    isZone: [IANAZone.isValidZone('Europe/Paris'), IANAZone.isValidZone('Mars/Olympus')],
    week: [
      AT.localWeekNumber,
      AT.setLocale('en-GB').startOf('week', { useLocaleWeeks: true }).toISODate(),
    ],
    cron: cronTimes(),
    message: new IntlMessageFormat(
      '{n, plural, =0 {none} one {# file} other {# files}} by {who} on {d, date, medium} at {d, time, short}; ' +
        '{p, number, percent} {c, number, ::currency/EUR} {r, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
      'en-US',
    ).format({
      n: 1234,
      who: 'Ada',
      d: new Date('2026-01-15T12:00:00Z'),
      p: 0.256,
      c: 1234.5,
      r: 22,
    }),
  }
}

/** Over the nights when the clocks change. */
function cronTimes(): (string | null)[] {
  const currentDate = new Date('2026-03-27T00:00:00Z')
  const times = CronExpressionParser.parse('0 30 2 * * *', { currentDate, tz: 'Europe/Berlin' })
  return times.take(5).map((time) => time.toISOString())
}

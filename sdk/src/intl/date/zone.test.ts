import { describe, expect, it } from 'vitest'
import { findZone, periodAt } from './zone.ts'

/** Minutes east of Greenwich, as ICU knows it. */
function offsetOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (time) => {
    const text = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60)
  }
}

const WEEK = 7 * 86_400_000

it('each time zone has the offset of ICU, from 1970 to 2037', () => {
  for (const [index, name] of Intl.supportedValuesOf('timeZone').entries()) {
    const [zone, expected] = [findZone(name), offsetOf(name)]
    // Each zone at other weeks.
    for (let time = (index % 9) * WEEK; time < Date.UTC(2038); time += 23 * WEEK) {
      expect([name, time, periodAt(zone, time).offset + 0]).toEqual([
        name,
        time,
        expected(time) + 0,
      ])
    }
  }
})

describe('at the minute when clocks change', () => {
  it.each([
    ['America/New_York', '2026-03-08T07:00Z'],
    ['America/New_York', '2026-11-01T06:00Z'],
    ['Europe/Berlin', '2026-03-29T01:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
    ['Asia/Kathmandu', '1985-12-31T18:30Z'],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
    ['America/Los_Angeles', '2087-03-09T10:00Z'],
  ])('%s has the new offset from %s', (name, at) => {
    const [zone, expected] = [findZone(name), offsetOf(name)]
    for (const time of [Date.parse(at) - 60_000, Date.parse(at) + 60_000]) {
      expect(periodAt(zone, time).offset).toBe(expected(time))
    }
    expect(periodAt(zone, Date.parse(at) - 60_000)).not.toEqual(
      periodAt(zone, Date.parse(at) + 60_000),
    )
  })
})

it.each([
  ['utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['europe/BERLIN', 'Europe/Berlin'],
  ['US/Pacific', 'America/Los_Angeles'],
  ['+0530', '+05:30'],
  ['-00:00', '+00:00'],
  ['-08', '-08:00'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['etc/gmt-14', 'Etc/GMT-14'],
])('%s is the time zone %s, as ICU has it', (name, id) => {
  expect(findZone(name).id).toBe(id)
  expect(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone).toBe(id)
})

it.each([
  '',
  'Europe',
  'Europe/Berlin|',
  'x\nEurope/Berlin',
  '+25:00',
  '+5',
  'Etc/GMT+13',
  'Etc/GMT+05',
  'constructor',
  'a'.repeat(1e6),
])('%j is none', (name) => {
  expect(() => findZone(name)).toThrow(RangeError)
  expect(() => new Intl.DateTimeFormat('en', { timeZone: name })).toThrow(RangeError)
})

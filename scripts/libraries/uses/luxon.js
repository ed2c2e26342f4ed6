import { DateTime } from 'luxon'

export default () => [
  DateTime.fromISO('2026-02-27T10:00:00Z', { zone: 'utc' }).plus({ days: 3 }).toISODate(),
  DateTime.fromISO('2026-02-27T10:00:00Z', { zone: 'utc' }).toFormat('d MMMM yyyy'),
]

import * as chrono from 'chrono-node'

export default () =>
  chrono.parseDate('next Friday at 4pm', new Date('2026-02-27T10:00:00')).toISOString()

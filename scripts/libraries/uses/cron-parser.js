import { CronExpressionParser } from 'cron-parser'

export default () => {
  const dates = CronExpressionParser.parse('0 9 * * 1', {
    currentDate: '2026-02-27T10:00:00Z',
    tz: 'UTC',
  })
  return [dates.next().toISOString(), dates.next().toISOString()]
}

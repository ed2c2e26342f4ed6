import dayjs from 'dayjs'

export default () => [
  dayjs('2026-02-27').add(1, 'month').format('ddd D MMM YYYY'),
  dayjs('2026-02-27').diff('2026-01-01', 'week'),
]

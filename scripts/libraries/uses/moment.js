import moment from 'moment'

export default () => [
  moment.utc('2026-02-27').add(3, 'days').format('dddd, MMMM Do YYYY'),
  moment.duration(90, 'minutes').humanize(),
]

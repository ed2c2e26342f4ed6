import { addDays, differenceInCalendarDays, format, parseISO } from 'date-fns'

export default () => [
  format(addDays(parseISO('2026-02-27T10:00:00'), 3), 'EEEE, d MMMM yyyy'),
  differenceInCalendarDays(new Date('2026-12-24'), new Date('2026-02-27')),
]

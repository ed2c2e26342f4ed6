/** `Intl.DateTimeFormat` and `toLocaleString` of dates. */
import { DateTimeFormat, formatDate } from '../date/date-time-format.ts'
import type { IntlPart } from './part.ts'

/** @throws {TypeError} of what is not a date. */
function timeOf(value: unknown): number {
  return Date.prototype.getTime.call(value as Date)
}

export const date: IntlPart = {
  members: { DateTimeFormat },
  methods: [
    [
      Date.prototype,
      {
        toLocaleString(this: unknown, locales?: unknown, options?: unknown): string {
          return formatDate(timeOf(this), locales, options, 'any')
        },
        toLocaleDateString(this: unknown, locales?: unknown, options?: unknown): string {
          return formatDate(timeOf(this), locales, options, 'date')
        },
        toLocaleTimeString(this: unknown, locales?: unknown, options?: unknown): string {
          return formatDate(timeOf(this), locales, options, 'time')
        },
      },
    ],
  ],
}

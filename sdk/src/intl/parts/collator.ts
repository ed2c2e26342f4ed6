/** `Intl.Collator` and `localeCompare`. */
import { Collator, compareInLocale } from '../collation/collator.ts'
import { toText } from '../text/options.ts'
import type { IntlPart } from './part.ts'

export const collator: IntlPart = {
  members: { Collator },
  methods: [
    [
      String.prototype,
      {
        localeCompare(this: unknown, other: unknown, locales?: unknown, options?: unknown): number {
          if (this === undefined || this === null)
            throw new TypeError('localeCompare needs a string')
          return compareInLocale(toText(this), toText(other), locales, options)
        },
      },
    ],
  ],
}

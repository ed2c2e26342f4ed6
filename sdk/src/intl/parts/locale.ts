import { Locale } from '../locale/locale.ts'
import { canonicalLocales } from '../text/locales.ts'
import type { IntlPart } from './part.ts'

export const locale: IntlPart = {
  members: {
    Locale,
    getCanonicalLocales: (locales?: unknown): string[] => canonicalLocales(locales),
  },
  methods: [],
}

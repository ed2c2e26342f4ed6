import { RelativeTimeFormat } from '../list/relative-time-format.ts'
import type { IntlPart } from './part.ts'

export const relative: IntlPart = {
  members: { RelativeTimeFormat },
  methods: [],
}

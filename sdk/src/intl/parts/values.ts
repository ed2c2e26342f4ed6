import { supportedValuesOf } from '../locale/supported-values.ts'
import type { IntlPart } from './part.ts'

export const values: IntlPart = {
  members: { supportedValuesOf },
  methods: [],
}

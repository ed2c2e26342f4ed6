import { ListFormat } from '../list/list-format.ts'
import type { IntlPart } from './part.ts'

export const list: IntlPart = {
  members: { ListFormat },
  methods: [],
}

import { Segmenter } from '../segment/segmenter.ts'
import type { IntlPart } from './part.ts'

export const segmenter: IntlPart = {
  members: { Segmenter },
  methods: [],
}

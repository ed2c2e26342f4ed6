/** `Intl` as the build gives it to a component, for code under test: English only. */
import { collator } from '../intl/parts/collator.ts'
import { date } from '../intl/parts/date.ts'
import { list } from '../intl/parts/list.ts'
import { locale } from '../intl/parts/locale.ts'
import { number } from '../intl/parts/number.ts'
import { relative } from '../intl/parts/relative.ts'
import { segmenter } from '../intl/parts/segmenter.ts'
import { values } from '../intl/parts/values.ts'

const PARTS = [collator, date, list, locale, number, relative, segmenter, values]

export const componentIntl: object = Object.defineProperty(
  Object.assign({}, ...PARTS.map(({ members }) => members)) as object,
  Symbol.toStringTag,
  { value: 'Intl', configurable: true },
)

/** `toLocaleString` and the like, each with the prototype that it is on. */
export const componentMethods = PARTS.flatMap(({ methods }) =>
  methods.flatMap(([prototype, own]) =>
    Object.entries(own).map(([name, method]) => ({ prototype, name, method })),
  ),
)

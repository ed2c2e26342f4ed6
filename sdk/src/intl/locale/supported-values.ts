import { NAMES } from '../data/currencies.ts'
import { UNITS } from '../data/units.ts'
import { ZONES } from '../data/zones.ts'
import { toText } from '../text/options.ts'

/** https://tc39.es/ecma402/#sec-intl.supportedvaluesof */
export function supportedValuesOf(key: unknown): string[] {
  switch (toText(key)) {
    case 'calendar':
      return ['gregory']
    case 'collation':
      return ['default']
    case 'currency':
      return NAMES.slice(1, -1)
        .split('|')
        .map((entry) => entry.slice(0, 3))
    case 'numberingSystem':
      return ['latn']
    case 'timeZone':
      return firstCells(ZONES)
    case 'unit':
      return firstCells(UNITS).filter((unit) => !unit.includes('-per-'))
  }
  throw new RangeError('Invalid key: it must be calendar, currency, timeZone, unit and the like')
}

function firstCells(table: string): string[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf('|')))
}

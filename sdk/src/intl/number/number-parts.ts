/** Formats a decimal: https://tc39.es/ecma402/#sec-partitionnumberpattern. */
import type { Part } from '../text/builtin.ts'
import { currencyName, currencySymbol } from './currencies.ts'
import type { Decimal } from './decimal.ts'
import { roundAsAsked, type Digits } from './digit-options.ts'
import type { NumberOptions } from './number-options.ts'
import { unitSuffix } from './units.ts'

const COMPACT = {
  short: ['K', 'M', 'B', 'T'],
  british: ['k', 'm', 'bn', 'tn'],
  long: ['thousand', 'million', 'billion', 'trillion'],
}
const NO_BREAK_SPACE = '\u00a0'

export function numberParts(options: NumberOptions, given: Decimal): Part[] {
  const { style, notation } = options
  const value =
    style === 'percent' && given.digits !== '' ? { ...given, point: given.point + 2 } : given
  if (value.kind !== 'finite') {
    const shown =
      value.kind === 'nan' ? { type: 'nan', value: 'NaN' } : { type: 'infinity', value: '∞' }
    const isZero = value.kind === 'nan'
    return wrapped(options, [shown], signOf(options, value.isNegative, isZero), false)
  }
  const exponent = notation === 'standard' ? 0 : exponentOf(options, value)
  const digits = roundAsAsked(shifted(value, exponent), options)
  const parts = digitParts(options, digits)
  if (notation === 'compact' && exponent > 0) {
    const name = compactName(options, exponent)
    if (name.length > 2) parts.push({ type: 'literal', value: ' ' })
    parts.push({ type: 'compact', value: name })
  } else if (notation === 'scientific' || notation === 'engineering') {
    parts.push({ type: 'exponentSeparator', value: 'E' })
    if (exponent < 0) parts.push({ type: 'exponentMinusSign', value: '-' })
    parts.push({ type: 'exponentInteger', value: String(Math.abs(exponent)) })
  }
  const isOne = Number(digits.whole) === 1 && digits.fraction === '' && exponent === 0
  const sign = signOf(options, value.isNegative, digits.value.digits === '')
  return wrapped(options, parts, sign, isOne)
}

function shifted(value: Decimal, exponent: number): Decimal {
  return exponent === 0 || value.digits === '' ? value : { ...value, point: value.point - exponent }
}

/** https://tc39.es/ecma402/#sec-computeexponent */
function exponentOf(options: NumberOptions, value: Decimal): number {
  if (value.digits === '') return 0
  const magnitude = value.point - 1
  const exponent = exponentForMagnitude(options.notation, magnitude)
  const { value: rounded } = roundAsAsked(shifted(value, exponent), options)
  return rounded.digits === '' || rounded.point - 1 === magnitude - exponent
    ? exponent
    : exponentForMagnitude(options.notation, magnitude + 1)
}

function exponentForMagnitude(notation: string, magnitude: number): number {
  if (notation === 'scientific') return magnitude
  const thousands = Math.floor(magnitude / 3) * 3
  return notation === 'compact' ? Math.min(12, Math.max(0, thousands)) : thousands
}

function compactName(options: NumberOptions, exponent: number): string {
  const { compactDisplay, isBritish, style, currencyDisplay } = options
  // With a symbol, English has only the short form: $1.2M.
  const isLong = compactDisplay === 'long' && (style !== 'currency' || currencyDisplay === 'name')
  const names = isLong ? COMPACT.long : isBritish ? COMPACT.british : COMPACT.short
  return names[exponent / 3 - 1] ?? ''
}

function digitParts({ useGrouping, notation }: NumberOptions, { whole, fraction }: Digits): Part[] {
  const parts: Part[] = []
  const isMin2 = useGrouping === 'min2' || (useGrouping === 'auto' && notation === 'compact')
  const least = useGrouping === false ? Infinity : isMin2 ? 5 : 4
  let start = 0
  if (whole.length >= least) {
    for (let end = whole.length % 3 || 3; end < whole.length; end += 3) {
      parts.push({ type: 'integer', value: whole.slice(start, end) }, { type: 'group', value: ',' })
      start = end
    }
  }
  parts.push({ type: 'integer', value: whole.slice(start) })
  if (fraction !== '') {
    parts.push({ type: 'decimal', value: '.' }, { type: 'fraction', value: fraction })
  }
  return parts
}

function signOf({ signDisplay }: NumberOptions, isNegative: boolean, isZero: boolean): string {
  switch (signDisplay) {
    case 'never':
      return ''
    case 'always':
      return isNegative ? '-' : '+'
    case 'exceptZero':
      return isZero ? '' : isNegative ? '-' : '+'
    case 'negative':
      return isNegative && !isZero ? '-' : ''
  }
  return isNegative ? '-' : ''
}

/** With the sign, and what stands before and after the number. */
function wrapped(options: NumberOptions, parts: Part[], sign: string, isOne: boolean): Part[] {
  const { style, currencyDisplay, isBritish } = options
  const before: Part[] = []
  if (sign !== '') {
    before.push({ type: sign === '-' ? 'minusSign' : 'plusSign', value: sign })
  }
  if (style === 'percent') {
    parts.push({ type: 'percentSign', value: '%' })
  } else if (style === 'unit') {
    const suffix = unitSuffix(options.unit ?? '', options.unitDisplay, isOne, isBritish)
    const text = suffix.trimStart()
    if (text !== suffix) parts.push({ type: 'literal', value: ' ' })
    parts.push({ type: 'unit', value: text })
  } else if (style === 'currency') {
    const code = options.currency ?? ''
    if (currencyDisplay === 'name') {
      const name = currencyName(code, isOne, isBritish)
      parts.push({ type: 'literal', value: ' ' }, { type: 'currency', value: name })
    } else {
      const symbol =
        currencyDisplay === 'code'
          ? code
          : currencySymbol(code, currencyDisplay === 'narrowSymbol', isBritish)
      const isAccounting = options.currencySign === 'accounting' && sign === '-'
      if (isAccounting) {
        before[0] = { type: 'literal', value: '(' }
        parts.push({ type: 'literal', value: ')' })
      }
      before.push({ type: 'currency', value: symbol })
      // A letter is set apart from the digits, a sign such as $ is not.
      const isApart = parts[0]?.type === 'integer' && /[a-z.\u00c0-\u024f]$/i.test(symbol)
      if (isApart) before.push({ type: 'literal', value: NO_BREAK_SPACE })
    }
  }
  return [...before, ...parts]
}

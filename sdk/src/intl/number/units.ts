import { BRITISH_UNITS, UNITS } from '../data/units.ts'

const WIDTHS = ['short', 'narrow', 'long']

/** https://tc39.es/ecma402/#sec-iswellformedunitidentifier */
export function isUnit(unit: string): boolean {
  const [first = '', second, ...more] = unit.split('-per-')
  return more.length === 0 && isSimple(first) && (second === undefined || isSimple(second))
}

function isSimple(unit: string): boolean {
  return /^[a-z-]+$/.test(unit) && !unit.includes('-per-') && UNITS.includes(`\n${unit}|`)
}

/** What follows a number, with the space between. */
export function unitSuffix(
  unit: string,
  width: string,
  isOne: boolean,
  isBritish: boolean,
): string {
  const column = WIDTHS.indexOf(width) * 3
  const own = column + (isOne ? 0 : 1)
  const whole = row(unit, isBritish)
  if (whole) return whole[own] ?? ''
  const [first = '', second = ''] = unit.split('-per-')
  // ICU leaves out what a short percent is counted per.
  const isLeftOut = first === 'percent' && width !== 'long'
  const per = isLeftOut ? '' : (row(second, isBritish)?.[column + 2] ?? '')
  return (row(first, isBritish)?.[own] ?? '') + per
}

function row(unit: string, isBritish: boolean): string[] | undefined {
  for (const table of isBritish ? [BRITISH_UNITS, UNITS] : [UNITS]) {
    const at = table.indexOf(`\n${unit}|`)
    if (at < 0) continue
    const cells = table.slice(at + unit.length + 2, table.indexOf('\n', at + 1))
    return cells.replaceAll('^', '′').replaceAll('~', '″').split('|')
  }
  return undefined
}

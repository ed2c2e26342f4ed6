/** How many digits are shown: https://tc39.es/ecma402/#sec-setnfdigitoptions. */
import { numberOption, stringOption, type Options } from '../text/options.ts'
import type { Decimal } from './decimal.ts'
import { ROUNDING_MODES, roundToDigits, roundToIncrement, type RoundingMode } from './round.ts'

export interface DigitOptions {
  minimumIntegerDigits: number
  minimumFractionDigits: number | undefined
  maximumFractionDigits: number | undefined
  minimumSignificantDigits: number | undefined
  maximumSignificantDigits: number | undefined
  roundingIncrement: number
  roundingMode: RoundingMode
  roundingPriority: string
  trailingZeroDisplay: string
}

const INCREMENTS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000]

/** @throws {RangeError | TypeError} */
export function readDigitOptions(
  options: Options,
  leastFraction: number,
  mostFraction: number,
  isCompact: boolean,
): DigitOptions {
  const minimumIntegerDigits = wanted(options, 'minimumIntegerDigits', 1, 21) ?? 1
  const { minimumFractionDigits: minFraction, maximumFractionDigits: maxFraction } = options
  const { minimumSignificantDigits: minDigits, maximumSignificantDigits: maxDigits } = options
  const roundingIncrement = wanted(options, 'roundingIncrement', 1, 5000) ?? 1
  if (!INCREMENTS.includes(roundingIncrement)) {
    throw new RangeError(`the option roundingIncrement must be one of ${INCREMENTS.join(', ')}`)
  }
  const roundingMode = stringOption(
    options,
    'roundingMode',
    ROUNDING_MODES,
    'halfExpand',
  ) as RoundingMode
  const priority = stringOption(
    options,
    'roundingPriority',
    ['auto', 'morePrecision', 'lessPrecision'],
    'auto',
  )
  const trailingZeroDisplay = stringOption(
    options,
    'trailingZeroDisplay',
    ['auto', 'stripIfInteger'],
    'auto',
  )
  if (roundingIncrement !== 1) mostFraction = leastFraction
  const hasDigits = minDigits !== undefined || maxDigits !== undefined
  const hasFraction = minFraction !== undefined || maxFraction !== undefined
  const needsDigits = priority !== 'auto' || hasDigits
  const needsFraction = priority !== 'auto' || !(needsDigits || (!hasFraction && isCompact))
  const found: DigitOptions = {
    minimumIntegerDigits,
    minimumFractionDigits: undefined,
    maximumFractionDigits: undefined,
    minimumSignificantDigits: undefined,
    maximumSignificantDigits: undefined,
    roundingIncrement,
    roundingMode,
    roundingPriority: priority,
    trailingZeroDisplay,
  }
  if (needsDigits) {
    const least = numberOption(minDigits, 'minimumSignificantDigits', 1, 21) ?? 1
    found.minimumSignificantDigits = least
    found.maximumSignificantDigits =
      numberOption(maxDigits, 'maximumSignificantDigits', least, 21) ?? 21
  }
  if (needsFraction) {
    let least = numberOption(minFraction, 'minimumFractionDigits', 0, 100)
    let most = numberOption(maxFraction, 'maximumFractionDigits', 0, 100)
    if (least !== undefined && most !== undefined && least > most) {
      throw new RangeError('the option maximumFractionDigits is less than minimumFractionDigits')
    }
    least ??= Math.min(leastFraction, most ?? leastFraction)
    most ??= Math.max(mostFraction, least)
    found.minimumFractionDigits = least
    found.maximumFractionDigits = most
  }
  if (!needsDigits && !needsFraction) {
    found.minimumFractionDigits = found.maximumFractionDigits = 0
    found.minimumSignificantDigits = 1
    found.maximumSignificantDigits = 2
    found.roundingPriority = 'morePrecision'
  }
  if (roundingIncrement !== 1) {
    if (needsDigits || !needsFraction) {
      throw new TypeError('the option roundingIncrement needs fraction digits alone')
    }
    if (found.minimumFractionDigits !== found.maximumFractionDigits) {
      throw new RangeError(
        'the option roundingIncrement needs as many fraction digits at least as at most',
      )
    }
  }
  return found
}

function wanted(options: Options, name: string, least: number, most: number): number | undefined {
  return numberOption(options[name], name, least, most)
}

/** Digits before and after the point, both with the zeros that the options ask for. */
export interface Digits {
  value: Decimal
  whole: string
  fraction: string
}

export function roundAsAsked(value: Decimal, options: DigitOptions): Digits {
  const { maximumFractionDigits: places, maximumSignificantDigits: most } = options
  const { roundingMode, roundingIncrement, roundingPriority } = options
  let leastFraction = options.minimumFractionDigits ?? 0
  let rounded = value
  const isByDigits =
    most !== undefined &&
    (places === undefined ||
      (roundingPriority === 'morePrecision') === most - (value.digits ? value.point : 1) >= places)
  if (isByDigits) {
    rounded = roundToDigits(value, most, roundingMode)
    const point = rounded.digits === '' ? 1 : rounded.point
    leastFraction = Math.max(0, (options.minimumSignificantDigits ?? 1) - point)
  } else {
    rounded = roundToIncrement(value, places ?? 0, roundingIncrement, roundingMode)
  }
  const { digits, point } = rounded
  const whole = digits.slice(0, Math.max(0, point)).padEnd(point, '0')
  const zeros = digits === '' ? 0 : Math.max(0, -point)
  const tail = point > 0 ? digits.slice(point) : '0'.repeat(zeros) + digits
  let fraction = tail.padEnd(leastFraction, '0')
  if (options.trailingZeroDisplay === 'stripIfInteger' && tail === '') fraction = ''
  return { value: rounded, whole: whole.padStart(options.minimumIntegerDigits, '0'), fraction }
}

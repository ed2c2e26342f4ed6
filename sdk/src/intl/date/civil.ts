/** The date and time of day that a clock shows. */

export interface Civil {
  year: number
  /** 1 to 12 */
  month: number
  day: number
  /** 0 is Sunday. */
  weekday: number
  hour: number
  minute: number
  second: number
  millisecond: number
}

const DAY = 86_400_000

/** @param time milliseconds since 1970 on that clock, which may be beyond what a `Date` can hold. */
export function toCivil(time: number): Civil {
  const days = Math.floor(time / DAY)
  const rest = time - days * DAY
  // https://howardhinnant.github.io/date_algorithms.html#civil_from_days: years begin in March.
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.floor(rest / 3_600_000),
    minute: Math.floor(rest / 60_000) % 60,
    second: Math.floor(rest / 1000) % 60,
    millisecond: Math.floor(rest) % 1000,
  }
}

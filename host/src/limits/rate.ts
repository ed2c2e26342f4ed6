/** How often something may happen: `600/m`. */
export interface Rate {
  /** Times in one window. */
  count: number
  /** Milliseconds. */
  windowMs: number
}

const WINDOWS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

const MOST = 1_000_000_000

/**
 * Reads `10/s`, `600/m`, `5000/h` or `100000/d`.
 *
 * @returns `undefined` for any other text.
 */
export function parseRate(text: string): Rate | undefined {
  const [, digits, unit = ''] = /^(\d{1,10})\/([smhd])$/.exec(text.trim()) ?? []
  const count = Number(digits)
  const windowMs = WINDOWS[unit]
  if (windowMs === undefined || !(count >= 1 && count <= MOST)) return undefined
  return { count, windowMs }
}

/** For people: `600 requests a minute`. */
export function describeRate({ count, windowMs }: Rate, what: string): string {
  const units: Readonly<Record<number, string>> = {
    1000: 'second',
    60_000: 'minute',
    3_600_000: 'hour',
    86_400_000: 'day',
  }
  return `${count} ${what}${count === 1 ? '' : 's'} per ${units[windowMs] ?? `${windowMs} ms`}`
}

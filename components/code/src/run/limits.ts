/**
 * What a program may take. One variable, `limits`, has all that differ from these defaults: `compute_ms=500; wall_ms=5000`,
 * because each variable that is read costs half a millisecond on Spin.
 */
export interface Limits {
  /** Requests to the gateway at once; more wait for their turn. How many in all is a limit of the gateway. @default 10 */
  concurrent_calls: number
  /** Milliseconds from the start to the end. @default 60_000, and never longer than the caller waits */
  wall_ms: number
  /** Milliseconds of computing, all turns together. The host ends a thread after 5 s. @default 2000 */
  compute_ms: number
  /** Megabytes of its heap; an instance has 128. @default 48 */
  memory_mb: number
  /** Bytes of its text. @default 100_000 */
  source_bytes: number
  /** Characters of the result as JSON; what is more is cut. @default 100_000 */
  result_chars: number
  /** Characters of all console output; what is more is left out. @default 20_000 */
  console_chars: number
  /** Timers at once. @default 1000 */
  timers: number
}

type Range = readonly [fallback: number, least: number, most: number]

const RANGES: Record<keyof Limits, Range> = {
  concurrent_calls: [10, 1, 100],
  wall_ms: [60_000, 1, 3_600_000],
  compute_ms: [2000, 1, 4000],
  memory_mb: [48, 4, 64],
  source_bytes: [100_000, 1, 1_000_000],
  result_chars: [100_000, 100, 4_000_000],
  console_chars: [20_000, 0, 1_000_000],
  timers: [1000, 0, 10_000],
}

const isName = (name: string): name is keyof Limits => Object.hasOwn(RANGES, name)

/** @throws {Error} naming what is wrong with the variable. */
export function parseLimits(text = ''): Limits {
  const entries = Object.entries(RANGES).map(([name, [fallback]]) => [name, fallback])
  const limits = Object.fromEntries(entries) as unknown as Limits
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const [name = '', value = ''] = part.split('=', 2).map((word) => word.trim())
    if (!isName(name)) {
      throw new Error(
        `must be names and numbers such as wall_ms=5000, of ${Object.keys(RANGES).join(', ')}`,
      )
    }
    const [, least, most] = RANGES[name]
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN
    if (!(number >= least && number <= most)) {
      throw new Error(`has "${name}", which must be a number from ${least} to ${most}`)
    }
    limits[name] = number
  }
  return limits
}

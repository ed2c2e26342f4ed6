/** The value below which `part` of the values lie. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const p95 = (values: readonly number[]): number => quantile(values, 0.95)

export const p99 = (values: readonly number[]): number => quantile(values, 0.99)

export function milliseconds(value: number): string {
  return value.toFixed(value < 100 ? 2 : 0)
}

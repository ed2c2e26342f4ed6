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

/** Prints rows as they are measured; each column is as wide as its title. The last, the name of the row, is free. */
export class Table {
  readonly #titles: readonly string[]

  constructor(...titles: string[]) {
    this.#titles = titles
    console.log(`\n${titles.join('  ')}`)
  }

  row(...cells: string[]): void {
    const last = cells.length - 1
    const aligned = cells.map((cell, index) =>
      index === last ? cell : cell.padStart(this.#titles[index]?.length ?? 0),
    )
    console.log(aligned.join('  '))
  }
}

/** The results as Markdown. */
import type { Hung } from './hung.ts'
import type { Load } from './measure.ts'

export interface Result {
  name: string
  version: string
  about: string
  more: string
  /** Milliseconds from the start of its process to the first answer of the tool; NaN when it was started elsewhere. */
  startMs: number
  /** Bytes after the first answer and after the load. */
  memory: { first: number; after: number }
  loads: Load[]
  hung?: Hung
}

export interface Omitted {
  name: string
  reason: string
}

export function markdown(results: readonly Result[], omitted: readonly Omitted[]): string {
  const parts = [
    table(
      ['peer', 'version', 'configuration', 'what it does otherwise'],
      results.map(({ name, version, about, more }) => [name, version, about, more]),
    ),
    table(
      ['peer', 'first answer', 'memory', 'after the load'],
      results.map(({ name, startMs, memory }) => [
        name,
        ms(startMs),
        mebibytes(memory.first),
        mebibytes(memory.after),
      ]),
    ),
    table(
      ['connections', 'peer', 'calls/s', 'p50', 'p99', 'CPU per call', 'of its server', 'failed'],
      byConnections(results).map(({ name, load }) => [
        String(load.connections),
        name,
        load.perSecond.toFixed(0),
        ms(load.p50),
        ms(load.p99),
        ms(load.cpu),
        load.backendCpu === 0 ? '' : ms(load.backendCpu),
        String(load.failed),
      ]),
    ),
    table(
      ['peer', 'call', 'while one hangs', 'list', 'first while one hangs', 'later', 'tools listed'],
      results.flatMap(({ name, hung }) => (hung ? [hungRow(name, hung)] : [])),
    ),
    ...(omitted.length === 0
      ? []
      : [`Not measured:\n\n${omitted.map((one) => `- ${one.name}: ${one.reason}`).join('\n')}`]),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function hungRow(name: string, { call, list, tools }: Hung): string[] {
  const time = (value?: number) => (value === undefined ? 'none in 20 s' : ms(value))
  return [
    ...[name, time(call.before), time(call.hanging), time(list.before), time(list.first)],
    ...[time(list.hanging), tools === undefined ? '' : String(tools)],
  ]
}

function byConnections(results: readonly Result[]): { name: string; load: Load }[] {
  return results
    .flatMap(({ name, loads }) => loads.map((load) => ({ name, load })))
    .sort((a, b) => a.load.connections - b.load.connections)
}

/** @returns '' without rows. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}

function ms(value: number): string {
  if (!Number.isFinite(value)) return 'unknown'
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`
}

function mebibytes(bytes: number): string {
  return Number.isFinite(bytes) ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : 'unknown'
}

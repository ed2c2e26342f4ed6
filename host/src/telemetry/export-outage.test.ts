import { expect, test } from 'vitest'
import { ExportOutage } from './export-outage.ts'

interface Result {
  code: number
  error?: Error
}

function watched() {
  const reported: string[] = []
  const outage = new ExportOutage((message) => reported.push(message))
  const results: Result[] = []
  const exporter = (url: string) =>
    outage.watch(
      {
        export: (_: string, done: (result: Result) => void) => done(results.shift() ?? { code: 0 }),
      },
      url,
    )
  const send = (to: { export: (items: string, done: (result: Result) => void) => void }) =>
    new Promise<Result>((resolve) => to.export('items', resolve))
  return { reported, results, exporter, send }
}

const DOWN = { code: 1, error: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) }

test('an outage of both signals is reported once, its end once, and the next one again', async () => {
  const { reported, results, exporter, send } = watched()
  const traces = exporter('http://c/v1/traces')
  const metrics = exporter('http://c/v1/metrics')
  results.push(DOWN, DOWN, DOWN)
  expect(await send(traces)).toBe(DOWN)
  await send(metrics)
  await send(traces)
  expect(reported).toEqual([
    expect.stringMatching(/does not arrive at http:\/\/c\/v1\/traces: ECONNREFUSED/),
  ])
  await send(traces)
  expect(reported).toHaveLength(1)
  await send(metrics)
  expect(reported.at(-1)).toBe('telemetry arrives again')
  results.push(DOWN)
  await send(metrics)
  expect(reported).toHaveLength(3)
})

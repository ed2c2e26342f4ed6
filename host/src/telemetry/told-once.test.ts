import { expect, test } from 'vitest'
import { Outage } from './told-once.ts'

interface Result {
  code: number
  error?: Error
}

function watched() {
  const told: string[] = []
  const outage = new Outage((message) => told.push(message))
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
  return { told, results, exporter, send }
}

const DOWN = { code: 1, error: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) }

test('an outage of both signals is told once, its end once, and the next one again', async () => {
  const { told, results, exporter, send } = watched()
  const traces = exporter('http://c/v1/traces')
  const metrics = exporter('http://c/v1/metrics')
  results.push(DOWN, DOWN, DOWN)
  expect(await send(traces)).toBe(DOWN)
  await send(metrics)
  await send(traces)
  expect(told).toEqual([
    expect.stringMatching(/does not arrive at http:\/\/c\/v1\/traces: ECONNREFUSED/),
  ])
  await send(traces)
  expect(told).toHaveLength(1)
  await send(metrics)
  expect(told.at(-1)).toBe('telemetry arrives again')
  results.push(DOWN)
  await send(metrics)
  expect(told).toHaveLength(3)
})

import { resourceFromAttributes } from '@opentelemetry/resources'
import { describe, expect, test } from 'vitest'
import { hashOf } from './hash-chain.ts'
import { logRecordOf } from './log-record.ts'

const resource = resourceFromAttributes({})
const of = (entry: object | string) =>
  logRecordOf(typeof entry === 'string' ? entry : JSON.stringify({ audit: 1, ...entry }), resource)

describe('the severity of a line', () => {
  test.each([
    [{ event: 'call', outcome: 'ok' }, 'INFO', 9],
    [{ event: 'call', outcome: 'job' }, 'INFO', 9],
    [{ event: 'started' }, 'INFO', 9],
    [{ event: 'call', outcome: 'killed' }, 'WARN', 13],
    [{ event: 'decision', outcome: 'denied' }, 'WARN', 13],
    [{ event: 'call', outcome: 'a new one' }, 'WARN', 13],
    [{ event: 'lost', lines: 3 }, 'ERROR', 17],
    [{ event: 'torn' }, 'ERROR', 17],
  ])('%j is %s', (entry, text, number) => {
    expect(of(entry)).toMatchObject({ severityText: text, severityNumber: number })
  })
})

describe('the trace', () => {
  const id = '4bf92f3577b34da6a3ce929d0e0e4736'
  test('is that of the line', () => {
    expect(of({ trace: id }).spanContext?.traceId).toBe(id)
  })
  test.each(['0'.repeat(32), id.toUpperCase(), id.slice(1), '', 7, null, ['x']])(
    '%j is not one',
    (trace) => expect(of({ trace }).spanContext).toBeUndefined(),
  )
})

describe('the attributes', () => {
  test('have what the line says, and never the arguments', () => {
    const line = JSON.stringify({
      seq: 3,
      client: { name: 'agent', agent: null },
      arguments: { sha256: 'ab', values: { password: 'x' } },
      rule: 0,
      internal: true,
    })
    expect(of(line).attributes).toEqual({
      'ftl.audit.seq': 3,
      'ftl.audit.client.name': 'agent',
      'ftl.audit.arguments.sha256': 'ab',
      'ftl.audit.rule': 0,
      'ftl.audit.internal': true,
      'ftl.audit.hash': hashOf(line),
    })
  })

  test('cannot be replaced by a member of the same name, nor change a prototype', () => {
    const { attributes } = of('{"hash":"forged","__proto__":{"x":1},"event":"call"}')
    expect(attributes['ftl.audit.hash']).not.toBe('forged')
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype)
    expect(attributes['x']).toBeUndefined()
  })
})

test.each([
  '{"audit":1',
  '{"audit":nonsense}',
  '[]',
  'null',
  '{"time":"yesterday","event":{}}',
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
])('a line that no gateway of ours prints is sent as it is: %#', (line) => {
  const before = Math.floor(Date.now() / 1000)
  const { body, hrTime, eventName } = of(line)
  expect(body).toBe(line)
  expect(hrTime[0]).toBeGreaterThanOrEqual(before)
  expect(eventName).toBe('ftl.audit.other')
})

import { describe, expect, it } from 'vitest'
import { createGate } from './message-gate.ts'

describe('the gate of a sandbox', () => {
  it('passes a copy of a JSON message', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { list: [1, 'a', null] } }
    const passed = createGate(() => 0)(message)
    expect(passed).toEqual({ kind: 'message', message })
    expect((passed as { message: unknown }).message).not.toBe(message)
  })

  it.each([
    ['a cycle', cycle()],
    ['a large number', 10n],
    ['nothing', undefined],
    ['a text that is too long', 'x'.repeat(12_000_001)],
  ])('drops %s', (_, data) => {
    expect(createGate(() => 0)(data)).toEqual({ kind: 'dropped' })
  })

  it('stops an app that floods, once and for ever', () => {
    let time = 0
    const gate = createGate(() => time)
    const kinds = Array.from({ length: 1000 }, () => gate({}).kind)
    expect(kinds.filter((kind) => kind === 'stop')).toHaveLength(1)
    expect(kinds.indexOf('stop')).toBe(300)
    time = 3_600_000
    expect(gate({}).kind).toBe('stopped')
  })

  it('never stops one that sends 50 messages a second for an hour', () => {
    let time = 0
    const gate = createGate(() => (time += 20))
    const kinds = new Set<string>()
    for (let sent = 0; sent < 50 * 3600; sent++) kinds.add(gate(0).kind)
    expect([...kinds]).toEqual(['message'])
  })
})

function cycle(): unknown[] {
  const list: unknown[] = []
  list.push(list)
  return list
}

import { describe, expect, it } from 'vitest'
import { reconnectPauseMs } from './reconnect-pause.ts'

const pauses = (chance: number) =>
  Array.from({ length: 8 }, (_, attempt) => reconnectPauseMs(attempt, 250, () => chance))

describe('the pause before a client connects again', () => {
  it('doubles with each attempt, up to eight seconds', () => {
    expect(pauses(1)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  it('is at least half of that', () => {
    expect(pauses(0)).toEqual([125, 250, 500, 1000, 2000, 4000, 4000, 4000])
  })

  it('differs from client to client', () => {
    const seen = new Set(Array.from({ length: 100 }, () => Math.round(reconnectPauseMs(2))))
    expect(seen.size).toBeGreaterThan(20)
  })

  it('is never shorter for a longer first pause', () => {
    expect(reconnectPauseMs(0, 20_000, () => 1)).toBe(20_000)
  })
})

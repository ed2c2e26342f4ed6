import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ComputingTime } from './computing-time.ts'

/** A thread whose processor time is set by hand. */
function thread() {
  const cpu = { ms: 1000 }
  const time = new ComputingTime(() => Promise.resolve({ user: cpu.ms * 1000, system: 0 }))
  const read = async (beat: number, silence: number) => {
    time.read(beat, silence)
    await turn()
    return time.read(beat, silence)
  }
  return { cpu, read }
}

describe('the computing time of a worker', () => {
  it('does not grow while the worker waits for a core', async () => {
    const { read } = thread()
    expect(await read(7, 50)).toBe(50)
    await turn()
    expect(await read(7, 5000)).toBe(50)
  })

  it('grows with the processor time of the thread', async () => {
    const { cpu, read } = thread()
    await read(7, 50)
    await turn()
    cpu.ms += 400
    expect(await read(7, 5000)).toBe(450)
  })

  it('begins again with each sign of life', async () => {
    const { cpu, read } = thread()
    await read(7, 50)
    await turn()
    cpu.ms += 400
    await read(7, 500)
    await turn()
    expect(await read(8, 60)).toBe(60)
  })

  it('is 0 for a thread that does not answer', () => {
    const time = new ComputingTime(() => new Promise(() => {}))
    time.read(1, 60)
    expect(time.read(1, 6000)).toBe(0)
  })
})

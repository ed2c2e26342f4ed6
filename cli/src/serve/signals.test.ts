import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { onSignal } from './signals.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('a signal', () => {
  it.skipIf(process.platform === 'win32')(
    'that arrives twice for one press lets the process end as it wants to',
    async () => {
      const script = `
        import { onSignal } from ${JSON.stringify(new URL('signals.ts', import.meta.url).href)}
        onSignal(() => {
          process.kill(process.pid, 'SIGINT')
          setTimeout(() => { console.log('cancelled the job'); process.exit(7) }, 100)
        })
        process.kill(process.pid, 'SIGINT')
        setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const [code] = (await once(child, 'close')) as [number | null]
      expect([code, output]).toEqual([7, 'cancelled the job\n'])
    },
  )

  it('of a second press ends the process at once', () => {
    vi.useFakeTimers()
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const stop = vi.fn()
    const end = onSignal(stop, ['SIGHUP'])
    for (const wait of [500, 600]) {
      process.emit('SIGHUP')
      vi.advanceTimersByTime(wait)
    }
    expect([stop.mock.calls.length, exit.mock.calls.length]).toEqual([1, 0])
    process.emit('SIGHUP')
    expect(exit).toHaveBeenCalledWith(130)
    end()
    expect(process.listenerCount('SIGHUP')).toBe(0)
  })
})

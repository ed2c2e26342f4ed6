import { getPriority } from 'node:os'
import { expect, it, vi } from 'vitest'
import { type Check, startChecks } from './checks.ts'

// A check has the lowest priority, and other tests may want the whole machine.
vi.setConfig({ testTimeout: 300_000 })

const node = (code: string) => [process.execPath, '-e', code] as const
const print = (text: string) => node(`process.stdout.write(${JSON.stringify(text)})`)
const NOTHING = () => {}

it('runs all checks of a lane in order, those after a failed one too', async () => {
  const heard: Check[] = []
  const fails = node("console.error('line 7 is wrong'); process.exit(1)")
  const checks = startChecks([[print('one'), fails, print('three')]], (check) => heard.push(check))
  const done = await checks.done
  expect(done.map(({ passed, output }) => [passed, output])).toEqual([
    [true, 'one'],
    [false, 'line 7 is wrong'],
    [true, 'three'],
  ])
  expect(heard).toEqual(done)
})

it('fails a check that a signal ends, and one whose program is missing', async () => {
  const killed = node("process.kill(process.pid, 'SIGKILL')")
  const done = await startChecks([[killed], [['no-such-program-here']]], NOTHING).done
  expect(done.map(({ passed }) => passed)).toEqual([false, false])
  expect(done[1]?.output).toContain('no-such-program-here')
})

it.skipIf(process.platform === 'win32')('gives the tests the processor first', async () => {
  // Its priority is set when it runs already.
  const waits = node(`
    const { getPriority } = require('node:os')
    const wait = () => getPriority() === ${getPriority()} ? setTimeout(wait, 5) : console.log(getPriority())
    wait()`)
  const [check] = await startChecks([[waits]], NOTHING).done
  expect(Number(check?.output)).toBeGreaterThan(getPriority())
})

it('ends what runs when it is stopped, and starts no more', async () => {
  const heard: Check[] = []
  const checks = startChecks([[node('setInterval(() => {}, 1000)'), print('late')]], (check) =>
    heard.push(check),
  )
  checks.stop()
  expect(await checks.done).toEqual([])
  expect(heard).toEqual([])
})

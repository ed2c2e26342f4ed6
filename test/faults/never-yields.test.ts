// What the embedded host cannot stop: all guests run on its one thread, so one that never waits keeps everybody
// waiting, and no deadline ends it. Each test holds what is true today and fails as soon as it no longer is.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'
import { FAULTS_MANIFEST } from './application.ts'
import { ask, ERAS } from './eras.ts'
import { says } from './expected.ts'
import { AT_ONCE, CALL_TIMEOUT_MS } from './fault.ts'

/** Longer than every deadline of the gateway. */
const LONG = CALL_TIMEOUT_MS + 1000
const START_MS = 30_000
/** A process without a say in it. */
const KILL_MS = 2000

let stateDir: string
let port: number
let running: RunningCommand
beforeAll(async () => {
  if (EXTERNAL_URL !== undefined) return
  stateDir = await mkdtemp(join(tmpdir(), 'ftl-faults-'))
  port = await freePort()
  await start()
})
afterAll(async () => {
  if (EXTERNAL_URL !== undefined) return
  running.signal('SIGKILL')
  await running.exited
  await rm(stateDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  running = ftl([
    ...['up', '--from', FAULTS_MANIFEST, '--listen', `127.0.0.1:${port}`],
    ...['--state-dir', stateDir, '--variable', 'tool_components=echo,calls'],
  ])
  await running.printed('Serving', START_MS)
}

const WAYS = [
  { how: 'a tool that never yields', name: 'never_yields', args: {} },
  // The gateway itself is the guest here: the pattern is the tool's, the 40 letters are the client's.
  { how: 'a pattern that backtracks', name: 'backtracks', args: { value: `${'a'.repeat(40)}!` } },
]

describe.skipIf(EXTERNAL_URL !== undefined)('the embedded host', () => {
  it.each(WAYS)(
    'answers nobody after $how, until it is killed and started again',
    { timeout: 4 * START_MS },
    async ({ name, args }) => {
      const url = `http://127.0.0.1:${port}`
      const echo = { name: 'echo', arguments: { message: 'here' } }
      expect((await ask(url, 'plain', 'tools/call', echo)).answer).toMatchObject(
        says('here').plain.answer,
      )

      const stuck = ask(url, 'plain', 'tools/call', { name, arguments: args })
      await new Promise((resolve) => setTimeout(resolve, 500))
      const others = ERAS.map((era) => ask(url, era, 'tools/call', echo))
      const waiting = Promise.race([stuck, ...others].map((one) => one.catch(() => 'cut off')))
      expect(await within(LONG, waiting)).toBe('no answer')

      running.signal('SIGTERM')
      expect(await within(KILL_MS, running.exited)).toBe('no answer')
      running.signal('SIGKILL')
      expect(await within(KILL_MS, running.exited)).toBeNull()

      await start()
      for (const era of ERAS) {
        const { answer, milliseconds } = await ask(url, era, 'tools/call', echo)
        expect(answer, era).toMatchObject(says('here')[era].answer)
        expect(milliseconds, era).toBeLessThan(AT_ONCE + 1000)
      }
    },
  )
})

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | 'no answer'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<'no answer'>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), milliseconds)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}

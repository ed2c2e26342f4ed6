// A guest that never yields: on Spin it keeps its thread, and as many of them as there are threads block the whole
// server. The embedded host ends the thread, and other calls still get their answers.
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, ftl } from '../support/command.ts'
import { type FaultyApplication, FAULTS_MANIFEST, startFaulty } from './application.ts'
import { ask, type Era, ERAS } from './eras.ts'
import { failed, says } from './expected.ts'
import { AT_ONCE, LEAK } from './fault.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

/** Each test waits for it. A busy machine needs less than half of it for all else that a guest computes. */
const MAX_BLOCKING_MS = 1500
const variables = { tool_components: 'echo,calls' }
const spin = { name: 'never_yields', arguments: {} }

let application: FaultyApplication
async function start(options: Parameters<typeof startFaulty>[0] = {}): Promise<void> {
  application = await startFaulty({ variables, maxBlockingMs: MAX_BLOCKING_MS, ...options })
  // The gateway discovers the tools first: a call that has to store them changes something, so it is not repeated.
  await ask(application.url, 'plain', 'tools/list')
  await echo('plain')
}
afterEach(() => application?.close())

async function echo(era: Era): Promise<number> {
  const params = { name: 'echo', arguments: { message: 'here' } }
  const { answer, milliseconds } = await ask(application.url, era, 'tools/call', params)
  expect(answer, era).toMatchObject(says('here')[era].answer)
  return milliseconds
}

describe(
  'a tool that never yields',
  embeddedOnly('a guest that never yields takes a thread of Spin for ever'),
  () => {
    it('fails for each kind of client in its own format', { timeout: 60_000 }, async () => {
      // Much sooner than the call's deadline: the thread that takes over has to start first.
      await start({ workers: 1, maxBlockingMs: MAX_BLOCKING_MS / 2 })
      const written = application.written()
      const reason = /^The tool failed: internal error, request id [\w-]+\.$/
      for (const era of ERAS) {
        const { status, answer, text } = await ask(application.url, era, 'tools/call', spin)
        expect(status, era).toBe(200)
        expect(answer, era).toMatchObject(failed('never_yields', reason)[era].answer)
        expect(text, era).not.toMatch(LEAK)
      }
      await expect.poll(() => application.logs?.(written)).toMatch(/kept its thread/)
    })

    it('costs the calls of other tools in its thread nothing but time', async () => {
      await start({ workers: 1 })
      const stuck = ask(application.url, 'plain', 'tools/call', spin)
      const others = await Promise.all([...ERAS, ...ERAS].map((era) => echo(era)))
      expect(Math.max(...others)).toBeLessThan(MAX_BLOCKING_MS + 2 * AT_ONCE)
      await stuck
      expect(await echo('modern')).toBeLessThan(AT_ONCE)
    })

    it('costs calls in other threads not even that', { timeout: 60_000 }, async () => {
      await start({ workers: 2, maxBlockingMs: 10_000 })
      const stuck = ask(application.url, 'plain', 'tools/call', spin)
      await new Promise((resolve) => setTimeout(resolve, 500))
      for (const era of ERAS) expect(await echo(era)).toBeLessThan(AT_ONCE)
      await stuck
    })

    it('as often as there are threads leaves the host serving', { timeout: 60_000 }, async () => {
      await start({ workers: 2 })
      const stuck = ERAS.map((era) => ask(application.url, era, 'tools/call', spin))
      // They wait for each other: guests of one component do not take all workers.
      for (const { text } of await Promise.all(stuck))
        expect(text).toMatch(/internal error, request id|gave no answer within/)
      for (const era of ERAS) expect(await echo(era)).toBeLessThan(AT_ONCE)
    })
  },
)

// The gateway itself is the guest here: the pattern is the tool's, the 40 letters are the client's.
it(
  'a pattern that would backtrack for ever is matched in linear time by the gateway',
  embeddedOnly('sets the limits of the host'),
  async () => {
    await start({ workers: 1 })
    const params = { name: 'backtracks', arguments: { value: `${'a'.repeat(40)}!` } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const headers = { 'content-type': 'application/json' }
    const started = performance.now()
    const checked = fetch(`${application.url}/mcp`, { method: 'POST', headers, body })
    const others = ERAS.map((era) => echo(era))
    const response = await checked
    expect(await response.json()).toMatchObject({ error: { code: -32602 } })
    expect(performance.now() - started).toBeLessThan(MAX_BLOCKING_MS)
    await Promise.all(others)
  },
)

it(
  'a guest that never yields does not keep the host from ending',
  { ...embeddedOnly('ends the host'), timeout: 60_000 },
  async () => {
    const port = await freePort()
    const running = ftl([
      ...['up', '--from', FAULTS_MANIFEST, '--listen', `127.0.0.1:${port}`, '--state-dir', ''],
      ...['--variable', 'tool_components=echo,calls'],
    ])
    await running.printed('Serving', 30_000)
    const url = `http://127.0.0.1:${port}`
    await ask(url, 'plain', 'tools/list')
    const stuck = ask(url, 'plain', 'tools/call', spin).catch(() => 'cut off')
    await new Promise((resolve) => setTimeout(resolve, 500))
    const started = performance.now()
    running.signal('SIGTERM')
    await running.exited
    expect(performance.now() - started).toBeLessThan(4000)
    await stuck
  },
)

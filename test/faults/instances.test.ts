// Every request gets a new instance of a component, whatever happened in another request.
import { afterEach, expect, it } from 'vitest'
import { callTool } from '../support/rpc.ts'
import { type FaultyApplication, startFaulty } from './application.ts'
import { CALL_TIMEOUT_MS } from './fault.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

let application: FaultyApplication
afterEach(() => application.close())

const variables = { tool_components: 'counter,calls' }

it('instances share nothing between two requests', async () => {
  application = await startFaulty({ variables })
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => callTool(application.url, 'counter')),
  )
  for (let call = 0; call < 40; call++) answers.push(await callTool(application.url, 'counter'))
  for (const { result } of answers) {
    expect(result).toEqual({ content: [{ type: 'text', text: '1 1' }] })
  }
})

it(
  'calls that were given up leave room for others',
  { ...embeddedOnly('sets the limits of the host'), timeout: 10 * CALL_TIMEOUT_MS },
  async () => {
    const maxInstances = 4
    application = await startFaulty({ variables, maxInstances, workers: 1, abandonedMs: 500 })
    // The gateway discovers the tools before all instances are in use.
    await callTool(application.url, 'rejects_behind')
    await Promise.all(
      Array.from({ length: maxInstances }, () => callTool(application.url, 'hangs')),
    )
    const again = async () => (await callTool(application.url, 'rejects_behind')).result
    await expect
      .poll(again, { timeout: 5000 })
      .toEqual({ content: [{ type: 'text', text: 'done' }] })
  },
)

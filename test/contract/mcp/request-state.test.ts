// State that travels through the client:
// https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ALL_CAPABILITIES, ask, textOf } from './client.ts'

const application = useApplication()

const TOOL = 'test_input_required_result_'

function call(name: string, { arguments: args = {}, ...rest }: Record<string, unknown> = {}) {
  const params = { name, arguments: args, ...rest }
  return ask(application.url, 'tools/call', params, { capabilities: ALL_CAPABILITIES })
}

const accepted = (content: object) => ({ action: 'accept', content })

describe('the state of a request', () => {
  const CONFIRMED = { confirm: accepted({ ok: true }) }

  async function stateOf(name: string, params: Record<string, unknown> = {}): Promise<string> {
    const { requestState } = (await call(name, params)).result
    expect(requestState).toEqual(expect.any(String))
    return requestState as string
  }

  it('[mrtr.completes] comes back to its tool', async () => {
    const name = `${TOOL}request_state`
    const requestState = await stateOf(name)
    expect(textOf(await call(name, { inputResponses: CONFIRMED, requestState }))).toBe('state-ok')
  })

  it('[mrtr.state-integrity] is refused when it was changed', async () => {
    const name = `${TOOL}tampered_state`
    const state = await stateOf(name)
    const middle = Math.floor(state.length / 2)
    const flipped = state[middle] === 'A' ? 'B' : 'A'
    const forgeries = [
      `${state}x`,
      state.slice(1),
      state.slice(0, middle) + flipped + state.slice(middle + 1),
      JSON.stringify({ asked: true }),
      Buffer.from(JSON.stringify({ asked: true })).toString('base64'),
      '',
    ]
    for (const requestState of forgeries) {
      const answer = await call(name, { inputResponses: CONFIRMED, requestState })
      expect(answer.error?.code, requestState).toBe(-32602)
    }
  })

  it('[mrtr.state-request] is refused by another tool', async () => {
    const requestState = await stateOf(`${TOOL}request_state`)
    const answer = await call(`${TOOL}tampered_state`, { inputResponses: CONFIRMED, requestState })
    expect(answer.error?.code).toBe(-32602)
  })

  it('[mrtr.state-request] is refused with other arguments', async () => {
    const requestState = await stateOf('pays', { arguments: { amount: 1 } })
    const again = (amount: number) => call('pays', { arguments: { amount }, requestState })
    expect(textOf(await again(1))).toBe('paid 1')
    expect((await again(1_000_000)).error?.code).toBe(-32602)
  })

  it('[mrtr.state-request] is refused by another method', async () => {
    const requestState = await stateOf(`${TOOL}request_state`)
    const params = { name: `${TOOL}prompt`, requestState }
    const { error } = await ask(application.url, 'prompts/get', params, {
      capabilities: ALL_CAPABILITIES,
    })
    expect(error?.code).toBe(-32602)
  })
})

describe('the state of a request with three seconds', () => {
  const hurried = useApplication({ request_state_ttl_ms: '3000' })

  it('[mrtr.state-expires] is refused after it', async () => {
    const options = { capabilities: ALL_CAPABILITIES }
    const params = { name: 'asks_to_come_again', arguments: {} }
    const { result } = await ask(hurried.url, 'tools/call', params, options)
    const again = { ...params, requestState: result['requestState'] }
    expect(textOf(await ask(hurried.url, 'tools/call', again, options))).toBe('came again')
    const code = async () => (await ask(hurried.url, 'tools/call', again, options)).error?.code
    await expect.poll(code, { interval: 200 }).toBe(-32602)
  })
})

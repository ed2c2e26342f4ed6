// State of a component travels through the client, which may change it or bring it to another place.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_CAPABILITIES, type Answer, readAnswer, requestOf } from '../contract/mcp/client.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver, publisher } from './support/publisher.ts'

const TTL_MS = 4_000

/** Offers `pay` and asks the client to come again, always with the same state. */
const asking = () =>
  publisher({
    tools: [{ name: 'pay', inputSchema: { type: 'object' } }],
    resultType: 'input_required',
    requestState: 'asked',
  })

let host: RunningApplication

beforeAll(async () => {
  const variables = {
    discovery_timeout_ms: '20000',
    request_state_ttl_ms: String(TTL_MS),
    request_state_key: 'only-for-tests-0123456789',
  }
  host = await startHostile({
    gateway: await gatewayOver(['first', 'second'], variables),
    first: { wasm: await asking(), route: false },
    second: { wasm: await asking(), route: false },
  })
  await pay('first', {})
  await pay('second', {})
})

afterAll(() => host.close())

/** Calls the tool `pay` of one component, by the same name for each of them. */
async function pay(component: string, args: object, requestState?: string): Promise<Answer> {
  const params = {
    name: 'pay',
    arguments: args,
    ...(requestState !== undefined && { requestState }),
  }
  const { headers, message } = requestOf('tools/call', params, { capabilities: ALL_CAPABILITIES })
  const response = await fetch(`${host.url}/mcp/x/${component}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  })
  return readAnswer(response.status, response.headers, await response.text())
}

async function stateOf(component: string, args: object): Promise<string> {
  const { result, text } = await pay(component, args)
  expect(result['requestState'], text).toEqual(expect.any(String))
  return result['requestState'] as string
}

/** What the gateway says to a state that it does not accept: a failed call, or no call at all. */
async function refusal(component: string, args: object, state: string): Promise<string> {
  const { error, result, text } = await pay(component, args, state)
  expect(error?.code === -32602 || result['isError'] === true, text).toBe(true)
  expect(text).toContain('requestState')
  return /requestState:? ([^"]+)/.exec(text)?.[1] ?? text
}

test('a state comes back to its component, with its arguments in any order', async () => {
  const state = await stateOf('first', { a: 1, b: { c: 2, d: 3 } })
  const { error, result } = await pay('first', { b: { d: 3, c: 2 }, a: 1 }, state)
  expect(error).toBeUndefined()
  expect(result['resultType']).toBe('input_required')
})

describe('a client that changes the state of a component', () => {
  attack('state of one component sent to another', async () => {
    return refusal('second', {}, await stateOf('first', {}))
  })

  attack('state for {"of":{"a":1}} used for {"of":[["a",1]]}', async () => {
    return refusal('first', { of: [['a', 1]] }, await stateOf('first', { of: { a: 1 } }))
  })

  attack('state for {"of":[["a",1]]} used for {"of":{"a":1}}', async () => {
    return refusal('first', { of: { a: 1 } }, await stateOf('first', { of: [['a', 1]] }))
  })

  attack('state for an amount of 1 used for 1,000,000', async () => {
    return refusal('first', { amount: 1_000_000 }, await stateOf('first', { amount: 1 }))
  })

  attack('state for 1 used for "1"', async () => {
    return refusal('first', { amount: '1' }, await stateOf('first', { amount: 1 }))
  })

  attack('truncated, lengthened and doubled state', async () => {
    const state = await stateOf('first', {})
    const [payload = '', mac = ''] = state.split('.')
    const forged = [
      ...['', '.', `${payload}.`, `.${mac}`, payload, state.slice(0, -4), state.slice(4)],
      ...[`${state}.x`, `${state}${mac}`, `${mac}.${payload}`, '__proto__', '\u0000', '%.%'],
    ]
    for (const each of forged) await refusal('first', {}, each)
    return `${forged.length} forms, each refused`
  })

  attack('state whose time to live is set anew', async () => {
    const [payload = '', mac = ''] = (await stateOf('first', {})).split('.')
    const parts = JSON.parse(decodeURIComponent(atob(payload))) as [number, string, string]
    const later = btoa(encodeURIComponent(JSON.stringify([parts[0] + 1, parts[1], parts[2]])))
    return refusal('first', {}, `${later}.${mac}`)
  })

  attack('expired state', async () => {
    const state = await stateOf('first', {})
    await new Promise((wake) => setTimeout(wake, TTL_MS + 300))
    return refusal('first', {}, state)
  })
})

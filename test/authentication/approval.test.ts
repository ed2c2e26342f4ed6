// Calls that need an approval, with real components, the official clients and plain HTTP.
import { createHash } from 'node:crypto'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attack } from '../hostile/support/attack.ts'
import { gatewayOver } from '../hostile/support/publisher.ts'
import { built } from '../hostile/support/wat.ts'
import { type EitherHost, startEither } from '../support/either-host.ts'

const ME = { name: 'test', version: '1' }
const META = 'ftl/approval'

const keyFor = (principal: string) =>
  `ftl_${createHash('sha256').update(principal).digest('base64url')}`
const as = (principal: string) => ({ authorization: `Bearer ${keyFor(principal)}` })
const entryFor = (principal: string) => {
  const sha256 = createHash('sha256').update(keyFor(principal)).digest('hex')
  return { sha256, principal, scopes: [] }
}

let host: EitherHost

beforeAll(async () => {
  host = await startEither({
    gateway: await gatewayOver(['echo', 'calculator', 'everything'], {
      discovery_timeout_ms: '20000',
      // On Spin the gateway has no store of its own.
      request_state_key: 'k'.repeat(43),
      api_keys: JSON.stringify([entryFor('ada'), entryFor('eve')]),
      policy: JSON.stringify({
        rules: [
          { effect: 'ask', tools: ['echo', 'test_input_required_*', 'test_streaming_elicitation'] },
          { effect: 'allow' },
        ],
      }),
    }),
    echo: { wasm: await built('echo'), route: false },
    calculator: { wasm: await built('calculator'), route: false },
    everything: { wasm: await built('test/conformance/everything'), route: false },
  })
  await fetch(`${host.url}/tools`, { headers: as('ada') })
})
afterAll(() => host.close())

type Action = 'accept' | 'decline' | 'cancel'

/** A client of revision 2026-07-28 whose user answers like this. */
async function connect(action: Action, content: Record<string, string> = {}) {
  const asked: string[] = []
  const client = new ClientV2(ME, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { elicitation: {} },
  })
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    return action === 'accept' ? { action, content } : { action }
  })
  const requestInit = { headers: as('ada') }
  await client.connect(new TransportV2(new URL(`${host.url}/mcp`), { requestInit }))
  return { client, asked }
}

describe('the official client of revision 2026-07-28', () => {
  it('asks its user, and the call runs when the user accepts', async () => {
    const { client, asked } = await connect('accept')
    const result = await client.callTool({ name: 'echo', arguments: { message: 'Hi' } })
    expect(result.content).toEqual([{ type: 'text', text: 'Hi' }])
    expect(asked).toEqual([
      'Approve this call?\nTool: echo\nComponent: echo\nArguments: {\n  "message": "Hi"\n}',
    ])
    await client.callTool({ name: 'calculator', arguments: { expression: '6*7' } })
    expect(asked).toHaveLength(1)
    await client.close()
  })

  it.each([
    ['decline', 'it was declined'],
    ['cancel', 'the question was cancelled'],
  ] as const)('gets a failed result when its user answers %s', async (action, reason) => {
    const { client } = await connect(action)
    const result = await client.callTool({ name: 'echo', arguments: { message: 'Hi' } })
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain(reason)
    await client.close()
  })

  it.each(['test_input_required_result_elicitation', 'test_streaming_elicitation'])(
    'answers the approval, and then what the tool %s asks',
    async (name) => {
      const { client, asked } = await connect('accept', { name: 'Ada' })
      const onprogress = () => undefined
      const result = await client.callTool({ name, arguments: {} }, { onprogress })
      expect(result.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
      expect(asked).toEqual([expect.stringContaining('Approve'), 'What is your name?'])
      await client.close()
    },
  )

  it('answers a tool that asks twice after one approval', async () => {
    const { client, asked } = await connect('accept', { name: 'Ada', color: 'green' })
    const name = 'test_input_required_result_multi_round'
    const result = await client.callTool({ name, arguments: {} })
    expect(result.content).toEqual([{ type: 'text', text: 'Ada likes green.' }])
    expect(asked).toHaveLength(3)
    await client.close()
  })
})

it('the official client of earlier revisions confirms the call with the token of the refusal', async () => {
  const client = new Client(ME)
  const requestInit = { headers: as('ada') }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${host.url}/mcp`), { requestInit }),
  )
  const call = { name: 'echo', arguments: { message: 'Hi' } }
  const refusal = await client.callTool(call)
  expect(refusal.isError).toBe(true)
  const { token } = refusal._meta?.[META] as { token: string }
  const result = await client.callTool({ ...call, _meta: { [META]: token } })
  expect(result.content).toEqual([{ type: 'text', text: 'Hi' }])
  const again = await client.callTool({ ...call, _meta: { [META]: token } })
  expect(JSON.stringify(again.content)).toContain('was used before')
  await client.close()
})

describe('an attack on an approval', () => {
  interface Answer {
    status: number
    text: string
  }
  async function invoke(args: object, token?: string, who = 'ada', tool = 'echo'): Promise<Answer> {
    const response = await fetch(`${host.url}/tools/${tool}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...as(who),
        ...(token !== undefined && { 'ftl-approval': token }),
      },
      body: JSON.stringify(args),
    })
    return { status: response.status, text: await response.text() }
  }
  const HARMLESS = { message: 'harmless' }
  async function tokenFor(args: object, who?: string): Promise<string> {
    const { status, text } = await invoke(args, undefined, who)
    expect(status).toBe(403)
    return (JSON.parse(text) as { error: { approval: { token: string } } }).error.approval.token
  }
  /** Nothing ran, and the reason. */
  function refusal({ status, text }: Answer): string {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } }
    expect([status, error.code]).toEqual([403, 'not_approved'])
    return error.message.replace(/^.*not approved: /, '')
  }

  it('would be seen: an approved call runs', async () => {
    expect(await invoke(HARMLESS, await tokenFor(HARMLESS))).toMatchObject({ status: 200 })
  })

  attack('an approval of {"message":"harmless"} used for other arguments', async () => {
    return refusal(await invoke({ message: 'harmful' }, await tokenFor(HARMLESS)))
  })

  attack('an approval of one caller used by another', async () => {
    return refusal(await invoke(HARMLESS, await tokenFor(HARMLESS), 'eve'))
  })

  attack('an approval used for another tool with the same arguments', async () => {
    const token = await tokenFor(HARMLESS)
    return refusal(await invoke({}, token, 'ada', 'test_input_required_result_elicitation'))
  })

  attack('an approval used twice', async () => {
    const token = await tokenFor(HARMLESS)
    await invoke(HARMLESS, token)
    return refusal(await invoke(HARMLESS, token))
  })

  attack('an approval whose expiry is moved', async () => {
    const [id = '', time = '', mac = ''] = (await tokenFor(HARMLESS)).split('.')
    const later = (parseInt(time, 36) + 60_000).toString(36)
    return refusal(await invoke(HARMLESS, [id, later, mac].join('.')))
  })

  attack('an approval with a new id, to use it again', async () => {
    const [, time = '', mac = ''] = (await tokenFor(HARMLESS)).split('.')
    return refusal(await invoke(HARMLESS, [crypto.randomUUID(), time, mac].join('.')))
  })
})

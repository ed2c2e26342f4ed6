// Where a proxy names the user, no client without the header and no component becomes that user.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoModel, startDemoModel } from '../../cli/src/demo-model/server.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { RawClient } from './support/raw-client.ts'
import { sender, tell } from './support/sender.ts'
import { built } from './support/wat.ts'

const GATEWAY = 'mcp-gateway'
const ADDRESS = `${GATEWAY}.spin.internal`
const TRUST = {
  trust_forwarded_user: 'without-secret',
  policy: 'signed-in',
  discovery_timeout_ms: '20000',
}
const INSIDE = ['http://*.spin.internal']

let host: RunningApplication
let model: DemoModel
let job: string

beforeAll(async () => {
  const work = { name: 'long_work', arguments: { milliseconds: 600_000, label: 'of alice' } }
  const turns = [{ calls: [work] }, { content: 'It runs.' }]
  model = await startDemoModel({ script: [{ turns }] })
  host = await startHostile({
    [GATEWAY]: await gatewayOver(['talk'], TRUST),
    talk: { wasm: await built('test/chat/talk'), route: false, stores: ['default'] },
    chat: {
      wasm: await built('chat'),
      route: '/api/chat',
      allowedHosts: [...INSIDE, model.url],
      variables: { llm_url: model.url },
    },
    forger: { wasm: await sender(), route: '/forger/...', allowedHosts: INSIDE },
  })
  job = await startJob('alice')
})

afterAll(async () => {
  await host.close()
  await model.close()
})

async function startJob(user: string): Promise<string> {
  const response = await fetch(`${host.url}/invoke`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-user': user,
      prefer: 'respond-async',
    },
    body: JSON.stringify({ tool: 'long_work', params: { milliseconds: 600_000 } }),
  })
  expect(response.status).toBe(202)
  const [, id = ''] = /\/jobs\/([\w-]+)/.exec(response.headers.get('location') ?? '') ?? []
  expect(id).not.toBe('')
  return id
}

async function jobFor(user: string | undefined, method = 'GET'): Promise<number> {
  const headers = new Headers(user === undefined ? [] : [['x-forwarded-user', user]])
  return (await fetch(`${host.url}/jobs/${job}`, { method, headers })).status
}

/** The status of a request for alice's job with exactly these lines in its head. */
async function statusWith(...lines: string[]): Promise<number> {
  const client = new RawClient(host.port)
  try {
    return await client
      .send(`GET /jobs/${job} HTTP/1.1`, 'Host: localhost', ...lines, '', '')
      .status(10_000)
  } finally {
    client.destroy()
  }
}

test('alice sees her job', async () => {
  expect(await jobFor('alice')).toBe(200)
  expect(await statusWith('X-Forwarded-User: alice')).toBe(200)
})

describe('a client', () => {
  attack('a client reads the job of alice as bob', async () => `${await refused('bob', 404)}`)
  attack(
    'a client reads the job of alice without a user',
    async () => `${await refused(undefined, 401)}`,
  )
  attack('a client ends the job of alice as bob', async () => {
    expect(await jobFor('bob', 'DELETE')).toBe(404)
    expect(await jobFor('alice')).toBe(200)
    return '404, the job goes on'
  })

  async function refused(user: string | undefined, status: number): Promise<number> {
    expect(await jobFor(user)).toBe(status)
    return status
  }

  const HEADS: [what: string, lines: string[]][] = [
    ['the header twice', ['X-Forwarded-User: alice', 'X-Forwarded-User: bob']],
    ['the same user twice', ['X-Forwarded-User: alice', 'x-forwarded-user: alice']],
    ['a list of users', ['X-Forwarded-User: bob, alice']],
    ['a tab in the name', ['X-Forwarded-User: ali\tce']],
    ['a zero byte in the name', ['X-Forwarded-User: alice\0']],
    ['an escape in the name', ['X-Forwarded-User: alice\x1b[2J']],
    ['bytes outside ASCII', ['X-Forwarded-User: alic\xe9']],
    ['a name of 300 characters', [`X-Forwarded-User: ${'a'.repeat(300)}`]],
  ]
  for (const [what, lines] of HEADS) {
    attack(`x-forwarded-user with ${what}`, async () => {
      expect(await statusWith(...lines)).toBe(400)
      return '400'
    })
  }

  attack('x-forwarded-user without a value', async () => {
    expect(await statusWith('X-Forwarded-User:  ')).toBe(401)
    return '401'
  })

  attack('x_forwarded_user in place of the header', async () => {
    expect(await statusWith('X_Forwarded_User: alice')).toBe(401)
    return '401'
  })
})

describe('a component', () => {
  const path = () => `/jobs/${job}`
  const ALICE = ['x-forwarded-user', 'alice'] as const

  attack('a component reads the job of alice while no user asks it', async () => {
    const sent = await tell(`${host.url}/forger/`, { to: ADDRESS, path: path(), headers: [ALICE] })
    expect(sent.outcome).toBe('answered 401')
    return sent.outcome
  })

  attack('a component reads the job of alice while bob asks it', async () => {
    const told = { to: ADDRESS, path: path(), headers: [ALICE] }
    const sent = await tell(`${host.url}/forger/`, told, [['x-forwarded-user', 'bob']])
    expect(sent.outcome).toBe('answered 401')
    return sent.outcome
  })

  attack('a component names alice in ftl-principal', async () => {
    const told = { to: ADDRESS, path: path(), headers: [['ftl-principal', 'alice']] as const }
    const sent = await tell(`${host.url}/forger/`, told, [['x-forwarded-user', 'bob']])
    expect(sent.outcome).toBe('answered 401')
    return sent.outcome
  })

  test('passes on the user it works for', async () => {
    const told = { to: ADDRESS, path: path(), headers: [ALICE] }
    const sent = await tell(`${host.url}/forger/`, told, [['x-forwarded-user', 'alice']])
    expect(sent.outcome).toBe('answered 200')
  })
})

describe('the chat', () => {
  const chat = (user?: string) =>
    fetch(`${host.url}/api/chat`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(user !== undefined && { 'x-forwarded-user': user }),
      },
      body: JSON.stringify({ message: 'work' }),
    })

  test('its job belongs to the user who chats', async () => {
    const response = await chat('alice')
    expect(response.status).toBe(200)
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true })
      if (/"jobId":"[\w-]+"/.test(text)) break
    }
    const [, id = ''] = /"jobId":"([\w-]+)"/.exec(text) ?? []
    expect(id, text).not.toBe('')
    const status = async (user: string) => {
      const headers = { 'x-forwarded-user': user }
      return (await fetch(`${host.url}/jobs/${id}`, { headers })).status
    }
    expect(await status('alice')).toBe(200)
    expect(await status('bob')).toBe(404)
  })

  attack('the chat calls a tool without a user', async () => {
    const response = await chat()
    expect(response.status).toBe(401)
    const text = await response.text()
    expect(text).toContain('x-forwarded-user is missing')
    expect(text).not.toContain('jobId')
    return '401, and the model is not asked'
  })
})

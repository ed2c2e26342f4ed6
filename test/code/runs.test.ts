// Programs behind the real gateway: what a run keeps outlives its client, and its host.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../support/command.ts'
import { type Effects, startEffects } from './effects.ts'
import { type KillableHost, startKillable } from './killable-host.ts'

const keyFor = (principal: string) =>
  `ftl_${createHash('sha256').update(principal).digest('base64url')}`
const KEYS = JSON.stringify(
  ['ada', 'eve'].map((principal) => ({
    sha256: createHash('sha256').update(keyFor(principal)).digest('hex'),
    principal,
    scopes: [],
  })),
)
const POLICY = JSON.stringify({
  rules: [
    { effect: 'ask', tools: ['delete'] },
    { effect: 'deny', principals: ['key:eve'], tools: ['append'] },
    { effect: 'allow' },
  ],
})

// After a start, the first call of a program takes seconds on a busy machine, and what was killed is taken up after the time of a call.
vi.setConfig({ testTimeout: 120_000 })

let effects: Effects
let folder: string
let url: string
let host: KillableHost

async function start(): Promise<void> {
  host = await startKillable(Number(new URL(url).port), folder, {
    api_keys: KEYS,
    policy: POLICY,
    effects_url: effects.url,
    call_settings: 'call_timeout_ms=8000',
  })
}

const kill = () => host.kill()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-runs-'))
  effects = await startEffects()
  url = `http://127.0.0.1:${await freePort()}`
  await start()
})
afterAll(async () => {
  await host.close()
  await effects.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  effects.done.length = 0
  effects.onDone = () => {}
})

interface Result {
  content: { text: string }[]
  isError?: boolean
  resultType?: string
  requestState?: string
  taskId?: string
  status?: string
  statusMessage?: string
  result?: Result
  error?: { message: string }
  _meta?: Record<string, { token: string }>
}

const ASKED = { elicitation: {} }
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const APPROVE = { inputResponses: { 'ftl/approval': { action: 'accept', content: {} } } }

async function send(
  method: string,
  params: Record<string, unknown>,
  {
    capabilities = {},
    who = 'ada',
    meta = {},
  }: { capabilities?: object; who?: string; meta?: object } = {},
): Promise<Result> {
  const PREFIX = 'io.modelcontextprotocol/'
  const _meta = {
    [`${PREFIX}protocolVersion`]: '2026-07-28',
    [`${PREFIX}clientCapabilities`]: capabilities,
    [`${PREFIX}clientInfo`]: { name: 'test', version: '1' },
    ...meta,
  }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': (params.name ?? params.taskId) as string,
      authorization: `Bearer ${keyFor(who)}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  const { result, error } = (await response.json()) as { result?: Result; error?: Result }
  return result ?? (error as Result)
}

const run = (code: string, client = {}, more = {}) =>
  send('tools/call', { name: 'run_code', arguments: { code }, ...more }, client)

async function endOf(taskId: string | undefined, capabilities: object): Promise<Result> {
  for (;;) {
    const task = await send('tasks/get', { taskId }, { capabilities })
    if (task.status !== 'working') return task
    await sleep(200)
  }
}

const PROGRAM = `const said = []
const tell = (call) => call.then((text) => said.push(text), ({ code, message }) => said.push(code))
await tell(tools.effects.append({ path: 'a' }))
await tell(tools.effects.delete({ path: 'b' }))
await Promise.all([tell(tools.effects.read({ path: 'c' })), tell(tools.effects.append({ path: 'd' }))])
return [said.sort(), Math.random(), Date.now()]`
const DONE = ['append a', 'append d', 'delete b', 'read c']
const SAID = JSON.stringify(DONE.map((what) => `did ${what}`))

describe('a program with a call that needs an approval', () => {
  it('asks its client, and goes on with the answer', async () => {
    const client = { capabilities: ASKED }
    const { requestState, resultType } = await run(PROGRAM, client)
    expect(resultType).toBe('input_required')
    expect(effects.done).toEqual(['append a'])
    const { content } = await run(PROGRAM, client, { requestState, ...APPROVE })
    expect(content[0]?.text).toContain(SAID)
    expect([...effects.done].sort()).toEqual(DONE)
  })

  it('gives a client that cannot be asked a token', async () => {
    const { _meta } = await run(PROGRAM)
    const meta = { 'ftl/approval': _meta?.['ftl/approval']?.token }
    const { content } = await run(PROGRAM, { meta })
    expect(content[0]?.text).toContain(SAID)
    expect([...effects.done].sort()).toEqual(DONE)
  })
})

it('a program has what its caller may call, and no more', async () => {
  const code = 'return [Object.keys(tools.effects), typeof tools.effects.append]'
  const { content } = await run(code, { who: 'eve' })
  expect(content[0]?.text).toBe('[["delete","read"],"undefined"]')
  expect(effects.done).toEqual([])
})

const SLOW = `progress(1, 4, 'begun')
const first = await tools.effects.append({ path: 'a' })
await sleep(1500)
progress(2, 4, 'halfway')
await sleep(300)
const second = await tools.effects.append({ path: 'b' }).catch(({ code }) => code)
const third = await tools.effects.append({ path: 'c' })
return [first, second, third]`

describe('a program that takes longer than its client waits', () => {
  const client = { capabilities: TASKS }

  it('is a task with its messages, and then its result', async () => {
    const { taskId, resultType } = await run(SLOW, client)
    expect(resultType).toBe('task')
    const seen = new Set<string | undefined>()
    let task: Result
    do {
      task = await send('tasks/get', { taskId }, client)
      seen.add(task.statusMessage)
      await sleep(100)
    } while (task.status === 'working')
    expect(task.result?.content[0]?.text).toContain(
      '["did append a","did append b","did append c"]',
    )
    expect([...seen]).toEqual(expect.arrayContaining(['begun', 'halfway']))
  })

  it('is stopped when it is cancelled', async () => {
    const { taskId } = await run(SLOW, client)
    await send('tasks/cancel', { taskId }, client)
    expect(await send('tasks/get', { taskId }, client)).toMatchObject({ status: 'cancelled' })
    await sleep(2000)
    expect(effects.done).toEqual(['append a'])
  })

  it('ends also if its host is killed between two calls, and so does one that waits for an answer', async () => {
    const capabilities = { ...ASKED, ...TASKS }
    const waiting = await run(PROGRAM, { capabilities })
    expect(await endOf(waiting.taskId, capabilities)).toMatchObject({ status: 'input_required' })
    const { taskId } = await run(SLOW, client)
    await kill()
    await start()
    await send('tasks/update', { taskId: waiting.taskId, ...APPROVE }, { capabilities })
    const answered = await endOf(waiting.taskId, capabilities)
    expect(answered.result?.content[0]?.text).toContain(SAID)
    const { status, result } = await endOf(taskId, TASKS)
    expect(status).toBe('completed')
    expect(result?.content[0]?.text).toContain('["did append a","did append b","did append c"]')
    expect([...effects.done].sort()).toEqual([...DONE, 'append a', 'append b', 'append c'].sort())
  })

  it('reports a call that ran while its host was killed, and does not repeat it', async () => {
    const killed = new Promise<void>((resolve, reject) => {
      effects.onDone = async (what) => {
        if (what !== 'append b') return
        effects.onDone = () => {}
        await kill().then(resolve, reject)
      }
    })
    const { taskId } = await run(SLOW, client)
    await killed
    await start()
    const { result } = await endOf(taskId, TASKS)
    expect(result?.content[0]?.text).toContain('["did append a","in_doubt","did append c"]')
    expect(effects.done).toEqual(['append a', 'append b', 'append c'])
  })
})

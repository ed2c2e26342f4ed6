// Servers that misbehave: no call waits for ever, the error says what happened, and nothing is left behind.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  type ClientOptions,
  ConnectionError,
  ProcessError,
  RpcError,
  TimeoutError,
  ViolationError,
} from 'ftl-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { descendants, processes } from '../support/processes.ts'
import { misbehaving, ready, slowModern, textOf } from './servers.ts'

let client: Client | undefined
let handles: number
beforeEach(() => {
  client = undefined
  handles = openHandles()
})
afterEach(async () => {
  await client?.close()
  expect(await descendants(process.pid)).toEqual(childrenBefore)
  // Node reports a closed pipe one turn later.
  await sleep(20)
  expect(openHandles()).toBe(handles)
})
const childrenBefore = await descendants(process.pid)

const openHandles = () =>
  process.getActiveResourcesInfo().filter((kind) => /Process|Pipe/.test(kind)).length

const connect = async (fault?: string, options?: ClientOptions) =>
  (client = await ready(misbehaving(fault), options))

/** A process that has ended but was not reaped yet counts as gone, too. */
const runs = async (pid: number) => (await processes()).some((each) => each.pid === pid)

const call = (text = 'hello', timeoutMs = 5000) => client!.callTool('say', { text }, { timeoutMs })

it('a good one answers', async () => {
  await connect()
  expect(textOf(await call())).toBe('hello')
})

it('concurrent calls get their own answers, whatever the order', async () => {
  await connect('answers late')
  const delays = ['120', '60', '0', '90', '30']
  const results = await Promise.all(delays.map((delay) => call(delay)))
  expect(results.map(textOf)).toEqual(delays)
})

it('one that never answers anything is given up', async () => {
  client = await Client.connect(misbehaving('never answers anything'), { name: 'mute' })
  const began = performance.now()
  await expect(client.initialize({ timeoutMs: 500 })).rejects.toThrow(TimeoutError)
  expect(performance.now() - began).toBeLessThan(4000)
  expect(client.state).toBe('failed')
})

it('one that never answers a call costs that call only', async () => {
  await connect('never answers a call')
  await expect(call('hello', 300)).rejects.toThrow(TimeoutError)
  expect(client!.state).toBe('ready')
  await expect.poll(() => client!.stderrTail.at(-1)).toMatch(/^cancelled \d+$/)
})

it('a second answer is ignored', async () => {
  await connect('answers twice')
  expect(textOf(await call('one'))).toBe('one')
  expect(textOf(await call('two'))).toBe('two')
})

it('an answer to nothing is named by the timeout', async () => {
  await connect('answers with a wrong id')
  await expect(call('hello', 300)).rejects.toThrow(/did not answer.*unexpected message.*hello/s)
})

it.each([
  'answers what is no JSON',
  'answers what is no JSON, without an id',
  'answers without a result',
])('one that %s fails the call at once', async (fault) => {
  await connect(fault)
  const began = performance.now()
  await expect(call()).rejects.toThrow(ViolationError)
  expect(performance.now() - began).toBeLessThan(4000)
  expect(client!.state).toBe('ready')
})

it('content that the protocol does not know is shown, and an image without its type gets one', async () => {
  await connect('answers with content of its own')
  expect((await call()).content).toMatchObject([
    { type: 'resource', resource: { text: '{"type":"custom/chart","data":[1,2]}' } },
    { type: 'image', mimeType: 'image/png' },
  ])
})

it('a wrong result is one sentence', async () => {
  await connect('answers with a wrong result')
  const error: unknown = await call().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ViolationError)
  expect((error as Error).message).toMatch(
    /^server "server": Invalid result for tools\/call: content is not valid \([^\n{}]+\)$/,
  )
})

it('one that ignores unknown requests is asked for an older revision after 2 s', async () => {
  const began = performance.now()
  await connect('ignores unknown requests')
  expect(performance.now() - began).toBeLessThan(4000)
  expect(client!.revision).toBe('2025-11-25')
  expect(textOf(await call())).toBe('hello')
})

it('one that starts slowly and knows the newest revision uses it', async () => {
  client = await ready(slowModern())
  expect(client.revision).toBe('2026-07-28')
  expect(textOf(await call())).toBe('hello')
})

it('text printed for people is neither an answer nor an error', async () => {
  await connect('prints to stdout')
  expect(textOf(await call())).toBe('hello')
})

it('an error of the server is one', async () => {
  await connect('answers with an error')
  const error: unknown = await call().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RpcError)
  expect(error).toMatchObject({ code: -32099, message: 'out of paper', kind: 'rpc' })
})

it('an answer of a megabyte arrives whole', async () => {
  await connect('answers a megabyte')
  expect(textOf(await call())).toBe('x'.repeat(1024 * 1024))
})

it('a flood on stderr blocks nothing, and its end is kept', async () => {
  await connect('floods stderr')
  expect(textOf(await call())).toBe('hello')
  await expect.poll(() => client!.stderrTail.at(-1)).toMatch(/^line 19999 x+$/)
})

it('one that ends at once is explained by the end of its stderr', async () => {
  client = await Client.connect(misbehaving('ends at once'), { name: 'paper' })
  const error: unknown = await client.initialize().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ProcessError)
  expect(error).toMatchObject({ exitCode: 3 })
  expect((error as Error).message).toMatch(/"paper" ended with code 3.*There is no licence/s)
})

it('one that ends when it is asked for the newest revision is asked for an older one', async () => {
  await connect('ends when it is asked for the newest revision')
  expect(client!.revision).toBe('2025-11-25')
  expect(textOf(await call())).toBe('hello')
})

it('one that ends during a call fails every pending call, and every later one', async () => {
  const failures: unknown[] = []
  await connect('ends during a call', { onFailure: (error) => failures.push(error) })
  const began = performance.now()
  const outcomes = await Promise.allSettled([call('1', 20_000), call('2', 20_000)])
  expect(performance.now() - began).toBeLessThan(3000)
  for (const outcome of outcomes) {
    const reason: unknown = outcome.status === 'rejected' && outcome.reason
    expect(reason).toBeInstanceOf(ProcessError)
    expect(reason).toMatchObject({ exitCode: 4 })
    expect((reason as Error).message).toContain('Cannot read the paper tray')
  }
  expect(client!.state).toBe('failed')
  expect(failures).toHaveLength(1)
  await expect(call()).rejects.toThrow(ProcessError)
})

it('the answer that was written right before the end counts', async () => {
  await connect('ends right after a call')
  expect(textOf(await call())).toBe('hello')
  await expect.poll(() => client!.state).toBe('failed')
})

it('one that closes its output and lives on is gone', async () => {
  await connect('closes its output')
  await expect(call('hello', 20_000)).rejects.toThrow(/closed its output/)
})

it('one that is killed fails its call at once', async () => {
  await connect('never answers a call')
  const pending = call('hello', 20_000)
  process.kill(client!.pid!, 'SIGKILL')
  await expect(pending).rejects.toThrow(/was ended by SIGKILL/)
})

it('one that ignores every request to end is ended all the same', async () => {
  await connect('ignores every request to end', { politeMs: 200, firmMs: 200 })
  const { pid } = client!
  const began = performance.now()
  await client!.close()
  expect(performance.now() - began).toBeLessThan(2000)
  expect(await runs(pid!)).toBe(false)
})

it('what a server started ends with it', async () => {
  await connect('leaves a process behind', { politeMs: 200, firmMs: 200 })
  const left = await descendants(client!.pid!)
  expect(left).toHaveLength(1)
  await client!.close()
  expect(await runs(left[0]!.pid)).toBe(false)
})

it('what a server started ends when the server dies', async () => {
  await connect('leaves a process behind', { politeMs: 200, firmMs: 200 })
  const [left] = await descendants(client!.pid!)
  process.kill(client!.pid!, 'SIGKILL')
  await expect.poll(() => client!.state, { timeout: 5000 }).toBe('failed')
  await client!.close()
  expect(await runs(left!.pid)).toBe(false)
})

it('a huge list of tools arrives whole', async () => {
  await connect('lists 20000 tools')
  const tools = await client!.listTools()
  expect(tools).toHaveLength(20_000)
  expect(tools.at(-1)?.name).toBe('say-19999')
})

it('a slow start is waited for', async () => {
  await connect('starts slowly')
  expect(textOf(await call())).toBe('hello')
})

it('a list is fetched again when it changes, and only then', async () => {
  await connect('changes its tools')
  const first = await client!.listTools()
  expect(first.map(({ name }) => name)).toEqual(['say'])
  expect(await client!.listTools()).toBe(first)
  await call()
  await expect
    .poll(async () => (await client!.listTools()).map(({ name }) => name))
    .toEqual(['new'])
})

it('closing fails what is pending at once', async () => {
  await connect('never answers a call')
  const pending = call('hello', 20_000)
  const closing = client!.close()
  await expect(pending).rejects.toMatchObject({ kind: 'state' })
  await closing
})

it.each([0, 40, 80, 160, 320])(
  'closing after %i ms of initialize leaves nothing behind',
  async (ms) => {
    client = await Client.connect(misbehaving('ends when it is asked for the newest revision'))
    const initializing = client.initialize().catch((error: unknown) => error)
    await sleep(ms)
    await client.close()
    expect([undefined, 'state']).toContain(
      ((await initializing) as { kind?: string } | undefined)?.kind,
    )
    expect(client.state).toBe('closed')
  },
)

it('a wrong move is named', async () => {
  client = await Client.connect(misbehaving())
  await expect(call()).rejects.toMatchObject({ kind: 'state' })
  await expect(client.listTools()).rejects.toThrow('not initialized: call initialize() first')
  await client.initialize()
  await expect(client.initialize()).rejects.toMatchObject({ kind: 'state' })
  await client.close()
  await client.close()
  await expect(call()).rejects.toMatchObject({ kind: 'state' })
})

it('a command that is not there is named', async () => {
  const config = { command: 'no-such-command-anywhere' }
  const error: unknown = await Client.connect(config).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ProcessError)
  expect((error as Error).message).toContain('"no-such-command-anywhere" is not found')
})

it('an address where no server listens is a connection error', async () => {
  client = await Client.connect({ url: 'http://127.0.0.1:9/mcp' }, { name: 'nobody' })
  const error: unknown = await client.initialize().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConnectionError)
  expect((error as Error).message).toMatch(/"nobody" cannot be reached: .+/)
})

// What a client sees of a chat, line by line, from the real components over real sockets.
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  chat,
  type ChatApplication,
  contents,
  type Line,
  linesOf,
  post,
  startChat,
  statuses,
} from './application.ts'

const WORDS = 1_000
const LONG = Array.from({ length: WORDS }, (_, n) => `word${n}`).join(' ')
const GRAPHEMES = '👩🏽‍🚀 grüßt 日本語 🎨'
const call = (name: string, args: object = {}) => ({ name, arguments: args })

let application: ChatApplication
beforeAll(async () => {
  application = await startChat({
    script: [
      {
        when: 'step',
        turns: [{ calls: [call('steps', { count: 8, label: 'a' })] }, { content: 'Done.' }],
      },
      {
        when: 'both',
        turns: [
          { content: 'One moment.', calls: [call('steps', { label: 'l' }), call('picture')] },
          { content: 'Here.' },
        ],
      },
      { when: 'twice', turns: [{ calls: [call('picture'), call('picture')] }, { content: 'ok' }] },
      {
        when: 'job',
        turns: [
          { calls: [call('long_work', { label: 'x', milliseconds: 2_500 })] },
          { content: 'ok' },
        ],
      },
      { when: 'table', turns: [{ calls: [call('table')] }, { content: 'ok' }] },
      { when: 'markup', turns: [{ calls: [call('html')] }, { content: '<i>so</i>' }] },
      { when: 'long', turns: [{ content: LONG }] },
      { when: 'emoji', turns: [{ content: GRAPHEMES }] },
      { turns: [{ thinking: 'hm', content: 'Hello there.' }] },
    ],
  })
  // The first request of all prepares the components.
  await chat(application, 'hello')
})
afterAll(() => application.close())

it('tells every step, each line with its own id and time, and ends with one result', async () => {
  const lines = await chat(application, { message: 'both', conversationId: 'c1' })
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
  for (const { timestamp } of lines) expect(new Date(timestamp).toISOString()).toBe(timestamp)
  expect(statuses(lines)).toEqual(
    expect.arrayContaining([
      'Initializing request...',
      'Retrieving available tools...',
      'Asking demo',
      'Executing tools...',
      'Calling steps',
      'Calling picture',
      'Processing artifacts...',
      'picture has answered',
      'steps has answered',
      'Generating final response...',
    ]),
  )
  expect(lines.filter(({ type }) => type === 'result' || type === 'error')).toHaveLength(1)
  expect(lines.at(-1)).toMatchObject({
    type: 'result',
    response: {
      conversationId: 'c1',
      model: 'demo',
      steps: 2,
      content: 'One moment.\n\nHere.',
      artifacts: [{ type: 'image', mimeType: 'image/png', tool: 'picture', arguments: {} }],
      toolCalls: [
        { tool: 'steps', isError: false },
        { tool: 'picture', isError: false },
      ],
    },
  })
  expect(contents(lines)).toBe(lines.at(-1)?.response?.content)
})

it('is not held back by whatever stands between', async () => {
  const { headers, body } = await fetch(`${application.url}/api/chat`, post({ message: 'hello' }))
  await body?.cancel()
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-cache, no-transform')
  expect(headers.get('x-accel-buffering')).toBe('no')
})

it('brings a tool’s status before the tool makes its next step', async () => {
  const lines = await chat(application, 'step')
  const steps = lines.flatMap(({ message, at }) => {
    const [, time] = /^a@(\d+)$/.exec(message ?? '') ?? []
    return time === undefined ? [] : [{ madeAt: Number(time), at }]
  })
  expect(steps).toHaveLength(8)
  // Once is enough: what held one status back would hold back all, and a busy machine delays some.
  const isBeforeNext = steps.slice(1).map(({ madeAt }, nth) => (steps[nth]?.at ?? 0) < madeAt)
  expect(isBeforeNext).toContain(true)
})

it('gives each picture once, however many tools name it', async () => {
  const lines = await chat(application, 'twice')
  expect(lines.filter(({ type }) => type === 'artifact')).toHaveLength(1)
  expect(lines.at(-1)?.response?.artifacts).toHaveLength(1)
})

it('gives a text that is a file as one that can be opened', async () => {
  const lines = await chat(application, 'table')
  // Half a character, as the tool has it, has no place in an address.
  const url = expect.stringMatching(/^data:text\/csv;charset=utf-8,%C3%A9(%EF%BF%BD)+$/) as string
  expect(lines.at(-1)?.response?.artifacts).toMatchObject([{ type: 'resource', url }])
})

it('follows a job, and says which it is', async () => {
  const lines = await chat(application, 'job')
  const ofJob = lines.filter(({ jobId }) => jobId !== undefined)
  expect(ofJob.length).toBeGreaterThan(1)
  const { jobId } = ofJob[0] as Line
  expect(ofJob.every((line) => line.jobId === jobId && line.callId !== undefined)).toBe(true)
  expect(ofJob.some(({ progress }) => progress !== undefined && progress > 0)).toBe(true)
  expect(lines.at(-1)?.response?.toolCalls).toMatchObject([{ tool: 'long_work', jobId }])
  const record = await fetch(`${application.url}/jobs/${jobId}`)
  expect(await record.json()).toMatchObject({ status: 'completed' })
})

it('passes markup on as text', async () => {
  const lines = await chat(application, 'markup')
  expect(contents(lines)).toBe('<i>so</i>')
  const said = application.model.requests.at(-1)?.body.messages.at(-1)
  expect(said).toMatchObject({ role: 'tool', content: '<script>alert(1)</script><b>bold</b> 🎨' })
})

it('brings an answer of a thousand lines whole, to a slow reader too', async () => {
  const response = await fetch(`${application.url}/api/chat`, post({ message: 'long' }))
  const lines: Line[] = []
  for await (const line of linesOf(response)) {
    if (lines.push(line) % 50 === 0) await pause(10)
  }
  expect(lines.filter(({ type }) => type === 'content')).toHaveLength(WORDS)
  expect(contents(lines)).toBe(LONG)
})

it('brings characters whole that the network cuts in two', async () => {
  const { port, hostname, host } = new URL(application.url)
  const json = JSON.stringify({ message: 'emoji' })
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /api/chat HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${json.length}\r\nConnection: close\r\n\r\n${json}`,
  )
  const decoder = new TextDecoder()
  let text = ''
  // Three bytes at a time: no character of these is as short as that and none begins at the same place.
  socket.on('readable', () => {
    for (let part: Buffer | null; (part = (socket.read(3) ?? socket.read()) as Buffer | null);)
      text += decoder.decode(part, { stream: true })
  })
  await new Promise((resolve) => socket.on('end', resolve))
  expect(text).toContain(JSON.stringify(GRAPHEMES).slice(1, -1))
})

it('keeps two chats at once apart', async () => {
  const chats = ['step', 'job', 'markup', 'both', 'emoji', 'long']
  const all = await Promise.all(chats.map((message) => chat(application, message)))
  const alone = (kind: number) => all[kind] as Line[]
  const toolsOf = (lines: Line[]) => [...new Set(lines.flatMap(({ tool }) => tool ?? []))].sort()
  expect(all.map(toolsOf)).toEqual([
    ['steps'],
    ['long_work'],
    ['html'],
    ['picture', 'steps'],
    [],
    [],
  ])
  expect(alone(3).at(-1)?.response?.content).toBe('One moment.\n\nHere.')
  expect(contents(alone(4))).toBe(GRAPHEMES)
  expect(contents(alone(5))).toBe(LONG)
  const prefixes = all.map((lines) => new Set(lines.map(({ id }) => id.replace(/-\d+$/, ''))))
  expect(prefixes.map(({ size }) => size)).toEqual(all.map(() => 1))
  expect(new Set(prefixes.flatMap((each) => [...each])).size).toBe(all.length)
})

it('a result has its text also under the name of the streaming plan', async () => {
  const { response } = (await chat(application, 'hello')).at(-1) ?? {}
  expect(response).toMatchObject({ content: 'Hello there.', conversation: 'Hello there.' })
})

it('an artifact can be pinned as it came, and the model gets its text or what it is', async () => {
  const lines = await chat(application, 'table')
  const artifact = lines.find(({ type }) => type === 'artifact')?.artifact
  await chat(application, { message: 'hello', pinnedGraph: artifact })
  const { messages = [] } = application.model.requests.at(-1)?.body ?? {}
  // The text of its `data:` address, with the half of a character replaced.
  expect(messages[0]?.content).toMatch(/The user has pinned this \(table\)\.[^]*\né\ufffd$/)
})

it('with Accept: application/json, the last line is the whole answer', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const ask = (body: object) =>
    fetch(`${application.url}/api/chat`, { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await ask({ message: 'both' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({
    type: 'result',
    response: { content: expect.stringContaining('Here.') as string, toolCalls: [{}, {}] },
  })
  const refused = await ask({ message: 'hello', model: 'another' })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid_request', field: 'model' } })
})

// A server over standard streams that speaks 2025-11-25 and does wrong what its first argument names.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

interface Message {
  id?: number | string
  method?: string
  params?: Record<string, unknown>
}

const [, , fault = 'none'] = process.argv

const write = (text: string) => process.stdout.write(`${text}\n`)
const send = (message: object) => write(JSON.stringify({ jsonrpc: '2.0', ...message }))
const answer = (id: Message['id'], text: string) =>
  send({ id, result: { content: [{ type: 'text', text }] } })

/** What it does instead of answering a call. */
const calls: Record<string, (id: Message['id'], text: string) => void> = {
  none: answer,
  'answers late': (id, text) => void sleep(Number(text)).then(() => answer(id, text)),
  'never answers a call': () => {},
  'answers twice': (id, text) => {
    answer(id, text)
    answer(id, 'once more')
  },
  'answers with a wrong id': (id, text) => answer(Number(id) + 1000, text),
  'answers with content of its own': (id) =>
    send({
      id,
      result: {
        content: [
          { type: 'custom/chart', data: [1, 2] },
          { type: 'image', data: 'iVBORw0KGgo=' },
        ],
      },
    }),
  'answers with a wrong result': (id) => send({ id, result: { content: 5, isError: 'no' } }),
  'answers what is no JSON': (id) => write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[`),
  'answers what is no JSON, without an id': () => write('{"jsonrpc":"2.0", oops'),
  'answers without a result': (id) => send({ id }),
  'answers with an error': (id) => send({ id, error: { code: -32099, message: 'out of paper' } }),
  'prints to stdout': (id, text) => {
    write('Listening … { not a message }')
    answer(id, text)
  },
  'answers a megabyte': (id) => answer(id, 'x'.repeat(1024 * 1024)),
  'floods stderr': (id, text) => {
    for (let line = 0; line < 20_000; line++) console.error(`line ${line} ${'x'.repeat(200)}`)
    answer(id, text)
  },
  'ends during a call': () => {
    console.error('Cannot read the paper tray')
    process.exitCode = 4
    process.stdin.destroy()
  },
  'ends right after a call': (id, text) => {
    answer(id, text)
    process.exitCode = 0
    process.stdin.destroy()
  },
  'closes its output': () => {
    process.stdout.end()
    setInterval(() => {}, 1000)
  },
  'changes its tools': (id, text) => {
    tools = [tool('new')]
    send({ method: 'notifications/tools/list_changed' })
    answer(id, text)
  },
}

const tool = (name: string) => ({ name, description: 'Says it', inputSchema: { type: 'object' } })
let tools = [tool('say')]
if (fault === 'lists 20000 tools') {
  tools = Array.from({ length: 20_000 }, (_, index) => tool(`say-${index}`))
}

const methods: Record<string, (message: Message) => void> = {
  initialize: ({ id, params }) =>
    send({
      id,
      result: {
        protocolVersion: params?.['protocolVersion'],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'misbehaving', version: '1.0.0' },
      },
    }),
  'tools/list': ({ id }) => send({ id, result: { tools } }),
  'tools/call': ({ id, params }) => {
    const { text = '' } = (params?.['arguments'] ?? {}) as { text?: string }
    ;(calls[fault] ?? answer)(id, text)
  },
  'server/discover': ({ id }) => {
    if (fault === 'ends when it is asked for the newest revision') process.exit(1)
    if (fault === 'ignores unknown requests') return
    send({ id, error: { code: -32601, message: 'Method not found' } })
  },
  'notifications/cancelled': ({ params }) =>
    console.error(`cancelled ${String(params?.['requestId'])}`),
}

if (fault === 'ends at once') {
  console.error('There is no licence')
  process.exit(3)
}
if (fault === 'starts slowly') await sleep(1500)
if (fault === 'ignores every request to end') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
if (fault === 'leaves a process behind') {
  // It holds the pipes, ignores SIGTERM, and would live on.
  const stubborn =
    'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.error("here")'
  const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['inherit', 'inherit', 'pipe'] })
  await once(child.stderr, 'data')
  child.unref()
  ;(child.stderr as unknown as { unref(): void }).unref()
}

for await (const line of createInterface({ input: process.stdin })) {
  if (fault === 'never answers anything') continue
  const message = JSON.parse(line) as Message
  methods[message.method ?? '']?.(message)
}

/** The server that uses of HTTP libraries call, in Node and in a component alike. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

const ANSWERS: Readonly<Record<string, (body: unknown) => unknown>> = {
  '/echo': (body) => body,
  '/v1/chat/completions': () => ({
    id: 'one',
    object: 'chat.completion',
    created: 0,
    model: 'any',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello, Ann' } },
    ],
  }),
  '/v1/messages': () => ({
    id: 'one',
    type: 'message',
    role: 'assistant',
    model: 'any',
    content: [{ type: 'text', text: 'Hello, Ann' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
}

export async function startServer(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const make = request.method === 'POST' ? ANSWERS[request.url ?? ''] : undefined
  if (!make) return { status: 404, body: { error: 'not found' } }
  return { status: 200, body: make(await json(request).catch(() => undefined)) }
}

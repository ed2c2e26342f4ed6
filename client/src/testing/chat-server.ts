/** A server of chats and jobs for tests: what it answers is the test's choice. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>

export interface ChatServer {
  base: string
  /** What `POST /api/chat` is answered with. */
  answer: Answer
  /** Records by path, each look the next; the last stays. `{ broken: true }` breaks the connection, `{ refused: 429 }` is a status. */
  jobs: Record<string, object[]>
  /** Bodies of the chats, in order. */
  asked: unknown[]
  close(): void
}

export async function startChatServer(): Promise<ChatServer> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path !== '/api/chat') {
      const left = chats.jobs[path]
      const record = left && left.length > 1 ? left.shift() : left?.[0]
      if (record && 'broken' in record) return void response.destroy()
      const refused = record && 'refused' in record ? Number(record.refused) : 200
      response.writeHead(record ? refused : 404, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(record ?? {}))
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      chats.asked.push(JSON.parse(Buffer.concat(chunks).toString()))
      void chats.answer(response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const chats: ChatServer = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (response) => void response.end(),
    jobs: {},
    asked: [],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return chats
}

let count = 0
export const line = (type: string, more: object = {}): string =>
  `${JSON.stringify({ type, id: `l${count++}`, timestamp: '2026-01-01T00:00:00Z', ...more })}\n`
export const status = (message: string, more: object = {}): string =>
  line('status', { message, step: 'progress', ...more })
export const content = (text: string): string => line('content', { content: text })
export const result = (text: string): string =>
  line('result', {
    response: {
      conversationId: 'c',
      content: text,
      artifacts: [],
      toolCalls: [],
      model: 'm',
      steps: 1,
    },
  })

/** Sends these as the body, one write each. */
export const sending =
  (...parts: (string | Uint8Array)[]): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const part of parts) {
      response.write(part)
      await pause(5)
    }
    response.end()
  }

// Answers as they should be and as they should not, over real sockets.
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendChat } from './chat.ts'
import {
  type ChatServer,
  content,
  line,
  result,
  sending,
  startChatServer,
  status,
} from './testing/chat-server.ts'

let chats: ChatServer
beforeEach(async () => (chats = await startChatServer()))
afterEach(() => chats.close())

const send = (message = 'hi', onLine?: (line: object) => void) =>
  sendChat({ message }, { url: `${chats.base}/api/chat`, onLine })

describe('sendChat', () => {
  it('gives every line as it comes and returns the last', async () => {
    chats.answer = sending(status('One'), content('He') + content('llo'), result('Hello'))
    const lines: object[] = []
    const response = await send('hi', (each) => lines.push(each))
    expect(response.content).toBe('Hello')
    expect(lines).toMatchObject([
      { type: 'status', message: 'One' },
      { content: 'He' },
      { content: 'llo' },
    ])
  })

  it('reads characters that are cut anywhere, and a last line without its end', async () => {
    const bytes = new TextEncoder().encode(content('grüß 👩🏽‍🚀') + result('x').trimEnd())
    chats.answer = sending(
      ...Array.from({ length: Math.ceil(bytes.length / 3) }, (_, n) =>
        bytes.slice(n * 3, n * 3 + 3),
      ),
    )
    const lines: object[] = []
    await send('hi', (each) => lines.push(each))
    expect(lines).toMatchObject([{ content: 'grüß 👩🏽‍🚀' }])
  })

  it('reads a plain answer where nothing can be streamed', async () => {
    chats.answer = sending(status('One') + content('Hi'), result('Hi'))
    const unstreamed: typeof fetch = async (...given) => {
      const response = await fetch(...given)
      return { ok: true, status: 200, body: null, text: () => response.text() } as Response
    }
    const lines: object[] = []
    const onLine = (each: object) => lines.push(each)
    const options = { url: `${chats.base}/api/chat`, fetch: unstreamed, onLine }
    expect((await sendChat({ message: 'x' }, options)).content).toBe('Hi')
    expect(lines).toHaveLength(2)
  })

  it.each([
    [
      'an error line',
      sending(line('error', { code: 'model_failed', message: 'No.' })),
      'model_failed',
      'No.',
    ],
    ['no last line', sending(content('half')), 'broken', /was lost/],
    ['half a line', sending('{"type":"resu'), 'broken', /was lost/],
    ['a line that is no JSON', sending('<html>\n', result('x')), 'unreadable', /cannot be read/],
  ])('%s is a failure that says so', async (_, given, code, message) => {
    chats.answer = given
    await expect(send()).rejects.toMatchObject({
      name: 'ChatFailure',
      code,
      message: expect.stringMatching(message) as string,
    })
  })

  it('a broken connection has a different code than a failed chat', async () => {
    chats.answer = async (response) => {
      response.write(content('a'))
      await pause(20)
      response.destroy()
    }
    await expect(send()).rejects.toMatchObject({ code: 'broken' })
  })

  it('a request that is refused names its field', async () => {
    chats.answer = (response) => {
      const error = { code: 'too_large', message: 'Too long.', field: 'history' }
      response.writeHead(413, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
    }
    await expect(send()).rejects.toMatchObject({ code: 'too_large', field: 'history' })
  })
})

// What a page would show, of answers over real sockets.
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ChatState, ChatStore } from './chat.ts'
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

const artifact = (url: string) => ({
  id: 'a1',
  type: 'image',
  title: 't',
  mimeType: 'image/png',
  url,
  tool: 'draw',
})

describe('a store', () => {
  const states = (store: ChatStore) => {
    const all: ChatState[] = []
    store.subscribe(() => all.push(store.getState()))
    return all
  }

  it('shows one status at a time, the text as it grows, and neither at the end', async () => {
    chats.answer = sending(
      status('One'),
      status('Two'),
      content('He'),
      content('llo'),
      result('Hello'),
    )
    const store = new ChatStore({ base: chats.base })
    const all = states(store)
    await store.send('hi')
    const said = all.map((state) => state.status?.message)
    expect(said.filter((word, place) => word !== said[place - 1])).toEqual([
      'One',
      'Two',
      undefined,
    ])
    expect(all.map(({ messages }) => messages.at(-1)?.content)).toContain('He')
    expect(store.getState()).toMatchObject({
      busy: false,
      conversationId: 'c',
      status: undefined,
      error: undefined,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello', state: 'done' },
      ],
    })
  })

  it('tells the server what was said before', async () => {
    chats.answer = sending(result('One'))
    const store = new ChatStore({ base: chats.base })
    await store.send('a')
    await store.send('b', { blockedServers: ['x'] })
    const history = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'One' },
    ]
    expect(chats.asked[1]).toEqual({
      message: 'b',
      conversationId: 'c',
      blockedServers: ['x'],
      history,
    })
  })

  it('collects what was made, each once, at an address that can be followed', async () => {
    const made = line('artifact', { artifact: artifact('/outputs/x.png') })
    chats.answer = sending(
      status('Calling', { callId: '1', tool: 'draw' }),
      made,
      made,
      result('ok'),
    )
    const store = new ChatStore({ base: chats.base })
    await store.send('draw')
    expect(store.getState().artifacts).toMatchObject([{ url: `${chats.base}/outputs/x.png` }])
    expect(store.getState().messages[1]?.calls).toMatchObject([{ tool: 'draw', done: true }])
  })

  it('knows which calls have ended while others go on', async () => {
    const one = { callId: '1', tool: 'draw' }
    const two = { callId: '2', tool: 'add' }
    chats.answer = sending(
      status('Calling', one),
      status('Calling', two),
      status('Half', { ...one, progress: 1, total: 2 }),
      status('add has answered', { ...two, done: true }),
      result('ok'),
    )
    const store = new ChatStore({ base: chats.base })
    const all = states(store)
    await store.send('x')
    expect(all.map(({ messages }) => messages[1]?.calls)).toContainEqual([
      expect.objectContaining({ tool: 'draw', message: 'Half', progress: 1, done: false }),
      expect.objectContaining({ tool: 'add', done: true }),
    ])
  })

  it('keeps what was said before an error, and can go on after it', async () => {
    chats.answer = sending(content('half'), line('error', { code: 'model_failed', message: 'No.' }))
    const store = new ChatStore({ base: chats.base })
    await store.send('a')
    expect(store.getState()).toMatchObject({
      busy: false,
      error: { code: 'model_failed', message: 'No.' },
      messages: [{}, { content: 'half', state: 'failed' }],
    })
    chats.answer = sending(result('Yes'))
    await store.send('again')
    expect(store.getState()).toMatchObject({ error: undefined })
    expect(store.getState().messages.at(-1)?.content).toBe('Yes')
  })

  it('stops on cancel, and closes the connection to the server', async () => {
    let left = false
    chats.answer = (response) => {
      response.on('close', () => (left = true))
      response.write(content('a'))
    }
    const store = new ChatStore({ base: chats.base })
    const sent = store.send('a')
    await vi.waitFor(() => expect(store.getState().messages[1]?.content).toBe('a'))
    store.cancel()
    await sent
    expect(store.getState()).toMatchObject({ busy: false, error: undefined })
    expect(store.getState().messages[1]?.state).toBe('cancelled')
    await vi.waitFor(() => expect(left).toBe(true))
  })

  it('follows the job of a broken connection in its record, through further breaks', async () => {
    chats.answer = async (response) => {
      response.write(status('Begun', { callId: '1', tool: 'draw', jobId: 'j' }))
      await pause(20)
      response.destroy()
    }
    const link = {
      type: 'resource_link',
      uri: '/outputs/j.png',
      name: 'j.png',
      mimeType: 'image/png',
    }
    const working = {
      status: 'working',
      pollIntervalMs: 5,
      message: 'Half',
      progress: { value: 1, total: 2 },
    }
    chats.jobs = {
      '/jobs/j': [
        { broken: true },
        working,
        { broken: true },
        { status: 'completed', result: { content: [link] } },
      ],
    }
    const store = new ChatStore({ base: chats.base, reconnectMs: 5 })
    const all = states(store)
    await store.send('draw')
    expect(all.some(({ messages }) => messages[1]?.calls[0]?.progress === 1)).toBe(true)
    const { messages, error, artifacts } = store.getState()
    expect(messages[1]).toMatchObject({ state: 'broken', calls: [{ done: true }] })
    expect(error?.code).toBe('broken')
    expect(artifacts).toMatchObject([
      { url: `${chats.base}/outputs/j.png`, type: 'image', jobId: 'j' },
    ])
  })

  it('continues with a job after a reload, and treats an unknown job as ended', async () => {
    chats.answer = (response) => {
      response.write(status('Begun', { callId: '1', tool: 'draw', jobId: 'j' }))
      response.write(status('Begun', { callId: '2', tool: 'draw', jobId: 'gone' }))
    }
    const first = new ChatStore({ base: chats.base })
    void first.send('draw')
    await vi.waitFor(() => expect(first.getState().messages[1]?.calls).toHaveLength(2))
    const stored = JSON.parse(JSON.stringify(first.getState())) as ChatState
    first.cancel()
    chats.jobs = { '/jobs/j': [{ status: 'failed', error: { message: 'No model.' } }] }
    const store = new ChatStore({ base: chats.base, state: stored, reconnectMs: 5 })
    expect(store.getState()).toMatchObject({ busy: false, messages: [{}, { state: 'broken' }] })
    await store.resume()
    expect(store.getState().messages[1]?.calls).toMatchObject([
      { message: 'No model.', done: true },
      { message: 'The job has expired.', done: true },
    ])
  })

  it.each([401, 408, 429])('asks again for a job after status %i', async (refused) => {
    chats.answer = async (response) => {
      response.write(status('Begun', { callId: '1', tool: 'draw', jobId: 'j' }))
      await pause(20)
      response.destroy()
    }
    chats.jobs = { '/jobs/j': [{ refused }, { status: 'completed', message: 'Drawn.' }] }
    const store = new ChatStore({ base: chats.base, reconnectMs: 5 })
    await store.send('draw')
    expect(store.getState().messages[1]?.calls).toMatchObject([{ message: 'Drawn.', done: true }])
  })

  it('two at once do not see each other’s lines', async () => {
    chats.answer = async (response) => {
      const { message } = chats.asked.at(-1) as { message: string }
      for (let n = 0; n < 5; n++) {
        response.write(status(message) + content(message))
        await pause(5)
      }
      response.end(result(message.repeat(5)))
    }
    const stores = ['a', 'b'].map((word) => ({ word, store: new ChatStore({ base: chats.base }) }))
    await Promise.all(
      stores.map(async ({ word, store }) => {
        const all = states(store)
        await store.send(word)
        expect(new Set(all.flatMap((state) => state.status?.message ?? []))).toEqual(
          new Set([word]),
        )
        expect(store.getState().messages[1]?.content).toBe(word.repeat(5))
      }),
    )
  })

  it('keeps messages of the page between those of the chat, with the page’s own data', async () => {
    chats.answer = sending(content('One'), result('One'))
    const store = new ChatStore<{ attached?: string[]; tool?: string }>({ base: chats.base })
    const lines: string[] = []
    await store.send('a', {}, { attached: ['notes.md'] })
    const id = store.add({ role: 'assistant', state: 'streaming', data: { tool: 'draw' } })
    store.change(id, ({ data }) => ({ state: 'done', content: `${data?.tool} has answered` }))
    store.change('unknown', () => ({ content: 'lost' }))
    const stored = JSON.parse(JSON.stringify(store.getState())) as ReturnType<typeof store.getState>
    const again = new ChatStore({
      base: chats.base,
      state: stored,
      onLine: ({ type }) => lines.push(type),
    })
    expect(await again.send('b', { history: [] })).toMatchObject({ content: 'One', steps: 1 })
    expect(again.getState().messages).toMatchObject([
      { content: 'a', data: { attached: ['notes.md'] } },
      { content: 'One', state: 'done' },
      { content: 'draw has answered', state: 'done', data: { tool: 'draw' } },
      { content: 'b' },
      { content: 'One' },
    ])
    expect(chats.asked[1]).toMatchObject({ message: 'b', history: [] })
    expect(lines).toEqual(['content'])
  })

  it('cancels the answer, also if the page has added a message after it', async () => {
    chats.answer = (response) => void response.write(content('a'))
    const store = new ChatStore({ base: chats.base })
    const sent = store.send('a')
    await vi.waitFor(() => expect(store.getState().messages[1]?.content).toBe('a'))
    store.add({ role: 'assistant', content: 'of the page' })
    store.cancel()
    expect(await sent).toBeUndefined()
    expect(store.getState().messages.map(({ state }) => state)).toEqual([
      'done',
      'cancelled',
      'done',
    ])
  })

  it('says at the message why it broke off, and leaves its jobs to a page that follows them', async () => {
    chats.answer = async (response) => {
      response.write(status('Begun', { callId: '1', tool: 'draw', jobId: 'j' }))
      await pause(20)
      response.destroy()
    }
    const store = new ChatStore({ base: chats.base, followJobs: false })
    await store.send('draw')
    expect(store.getState().messages[1]).toMatchObject({
      state: 'broken',
      error: { code: 'broken' },
      calls: [{ jobId: 'j', done: false }],
    })
    await store.send('again')
    expect(store.getState().messages[1]?.error?.code).toBe('broken')
  })

  it('asks about calls that need an approval, and goes on with the decisions', async () => {
    const approval = { tool: 'drop', component: 'db', arguments: { table: 'a' }, expiresAt: '' }
    const paused = {
      content: 'I drop them.',
      approvals: [
        { ...approval, callId: '1', token: 'token-1' },
        { ...approval, callId: '2', token: 'token-2' },
      ],
      continuation: { steps: [], artifacts: 0 },
    }
    chats.answer = (response) => {
      const { decisions } = chats.asked.at(-1) as { decisions?: object }
      const last = line('result', {
        response: decisions ? { content: 'I drop them. Done.' } : paused,
      })
      response.end(content(decisions ? ' Done.' : 'I drop them.') + last)
    }
    const asked: string[] = []
    const store = new ChatStore({
      base: chats.base,
      onApproval: async ({ callId }) => {
        asked.push(callId)
        expect(store.getState().busy).toBe(true)
        return callId === '1'
      },
    })
    const all = states(store)
    await store.send('drop them', { history: [] })
    expect(asked).toEqual(['1', '2'])
    expect(chats.asked).toMatchObject([
      { message: 'drop them', canApprove: true },
      { message: 'drop them', history: [], decisions: { 1: 'token-1', 2: null } },
    ])
    expect(store.getState().messages).toHaveLength(2)
    expect(store.getState().messages[1]).toMatchObject({
      content: 'I drop them. Done.',
      state: 'done',
    })
    // A stored state approves nothing.
    expect(JSON.stringify(all)).not.toContain('token-')
  })

  it('does not go on after it was cancelled while a person decides', async () => {
    chats.answer = sending(
      line('result', {
        response: {
          content: '',
          approvals: [
            { callId: '1', tool: 'd', component: 'c', arguments: {}, token: 't', expiresAt: '' },
          ],
          continuation: { steps: [], artifacts: 0 },
        },
      }),
    )
    const store = new ChatStore({
      base: chats.base,
      onApproval: async (_, signal) => {
        store.cancel()
        return !signal.aborted
      },
    })
    expect(await store.send('x')).toBeUndefined()
    expect(chats.asked).toHaveLength(1)
    expect(store.getState().messages[1]?.state).toBe('cancelled')
  })
})

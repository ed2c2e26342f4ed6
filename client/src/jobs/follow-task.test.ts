import { describe, expect, it, vi } from 'vitest'
import {
  CancelledError,
  ConnectionError,
  RpcError,
  TimeoutError,
  ViolationError,
} from '../errors.ts'
import { followTask, type TaskAsker } from './follow-task.ts'

type Fields = Record<string, unknown>

const WORKING = { resultType: 'task', taskId: 't', status: 'working', pollIntervalMs: 1 }
const RESULT = { content: [{ type: 'text', text: 'done' }] }

/** A server whose task is each of these in turn; the last stays. */
function server(...states: (Fields | Error)[]) {
  const asked: [method: string, params: Fields][] = []
  const asker: TaskAsker = {
    ask: async (method, params) => {
      asked.push([method, params])
      if (method !== 'tasks/get') return { resultType: 'complete' }
      const state = (states.length > 1 ? states.shift() : states[0]) ?? WORKING
      if (state instanceof Error) throw state
      return { ...WORKING, ...state }
    },
  }
  const methods = () => asked.map(([method]) => method)
  return { asker, asked, methods }
}

describe('a task', () => {
  it('is asked for until it has a result', async () => {
    const told: unknown[] = []
    const { asker, methods } = server(
      { statusMessage: 'Mixing' },
      { statusMessage: 'Mixing' },
      { statusMessage: 'Baking' },
      { status: 'completed', result: RESULT },
    )
    const onProgress = (each: unknown) => told.push(each)
    expect(await followTask(asker, WORKING, { onProgress })).toEqual(RESULT)
    expect(told).toEqual([{ message: 'Mixing' }, { message: 'Baking' }])
    expect(methods()).toEqual(Array(4).fill('tasks/get'))
  })

  it('tells the numbers of a gateway of ftl, also where the message stays the same', async () => {
    const told: unknown[] = []
    const at = (progress: number) => ({
      statusMessage: 'Mixing',
      _meta: { 'ftl/progress': { progress, total: 9, message: 'other' } },
    })
    const { asker } = server(at(1), at(1), at(2), { status: 'completed', result: RESULT })
    await followTask(asker, WORKING, { onProgress: (each) => told.push(each) })
    expect(told).toEqual([
      { progress: 1, total: 9, message: 'Mixing' },
      { progress: 2, total: 9, message: 'Mixing' },
    ])
  })

  it('that is complete from the start is not asked for', async () => {
    const { asker, asked } = server()
    const created = { ...WORKING, status: 'completed', result: RESULT }
    expect(await followTask(asker, created)).toEqual(RESULT)
    expect(asked).toEqual([])
  })

  it('that failed is the server’s error', async () => {
    const error = { code: -32000, message: 'out of paper', data: 7 }
    const { asker, methods } = server({ status: 'failed', error })
    const failure: unknown = await followTask(asker, WORKING).catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(RpcError)
    expect(failure).toMatchObject(error)
    expect(methods()).not.toContain('tasks/cancel')
  })

  it('that somebody cancelled is cancelled', async () => {
    const { asker, methods } = server({ status: 'cancelled' })
    await expect(followTask(asker, WORKING)).rejects.toThrow(CancelledError)
    expect(methods()).not.toContain('tasks/cancel')
  })

  it('is cancelled when its caller no longer waits', async () => {
    const stop = new AbortController()
    const { asker, asked } = server({ statusMessage: 'Mixing' })
    const onProgress = () => stop.abort(new Error('enough'))
    const call = followTask(asker, WORKING, { signal: stop.signal, onProgress })
    await expect(call).rejects.toThrow('enough')
    expect(asked.at(-1)).toEqual(['tasks/cancel', { taskId: 't' }])
  })

  it('outlives a server that is away for a moment', async () => {
    const { asker } = server(
      new ConnectionError('fetch failed'),
      new ConnectionError('busy', { status: 503 }),
      new TimeoutError('no answer in time'),
      { status: 'completed', result: RESULT },
    )
    const told: unknown[] = []
    const onProgress = (each: unknown) => told.push(each)
    expect(await followTask(asker, WORKING, { onProgress })).toEqual(RESULT)
    expect(told).toEqual([{ message: 'The server does not answer; trying again' }])
  })

  it('is named when its server stays away, because it may go on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { asker } = server(new ConnectionError('connection refused'))
      const failure = followTask(asker, { ...WORKING, taskId: 'a-b' }).catch(
        (error: unknown) => error,
      )
      await vi.advanceTimersByTimeAsync(60_000)
      const error = await failure
      expect(error).toBeInstanceOf(ConnectionError)
      expect((error as Error).message).toBe('connection refused. The task a-b may still be running')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not asked for again when its caller has left', async () => {
    const caller = new AbortController()
    const { asker, methods } = server()
    const leaving: TaskAsker = {
      ask: async (method, params) => {
        if (method !== 'tasks/get') return asker.ask(method, params)
        caller.abort(new Error('left'))
        throw new TimeoutError('no answer in time')
      },
    }
    await expect(followTask(leaving, WORKING, { signal: caller.signal })).rejects.toThrow()
    expect(methods()).toEqual(['tasks/cancel'])
  })

  it('that is forgotten is an error at once', async () => {
    const { asker, methods } = server(new RpcError(-32602, 'no such task'))
    await expect(followTask(asker, WORKING)).rejects.toThrow('no such task')
    expect(methods()).toEqual(['tasks/get'])
  })

  it('gets the answers to what it asks', async () => {
    const inputRequests = { name: { method: 'elicitation/create', params: {} } }
    const { asker, asked } = server(
      { status: 'input_required', inputRequests },
      { status: 'completed', result: RESULT },
    )
    const answer = async (requests: Fields) => {
      expect(requests).toEqual(inputRequests)
      return { name: { action: 'accept' } }
    }
    expect(await followTask({ ...asker, answer }, WORKING)).toEqual(RESULT)
    const inputResponses = { name: { action: 'accept' } }
    expect(asked).toContainEqual(['tasks/update', { taskId: 't', inputResponses }])
  })

  it('with a request that the client cannot answer is cancelled', async () => {
    const inputRequests = { name: { method: 'elicitation/create' } }
    const { asker, methods } = server({ status: 'input_required', inputRequests })
    await expect(followTask(asker, WORKING)).rejects.toThrow(ViolationError)
    expect(methods()).toEqual(['tasks/get', 'tasks/cancel'])
  })

  it('without an id or a result is against the protocol', async () => {
    const { asker } = server({ status: 'completed' })
    await expect(followTask(asker, { status: 'working' })).rejects.toThrow(ViolationError)
    await expect(followTask(asker, WORKING)).rejects.toThrow(ViolationError)
  })
})

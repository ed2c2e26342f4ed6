import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestHead } from '../http/messages.ts'
import type { RequestFollower, RequestSink } from './request-events.ts'
import { withRequestId } from './request-id.ts'
import { RequestWatch } from './request-watch.ts'
import type { TraceContext } from './trace-context.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const HEAD: RequestHead = {
  ...{ method: 'POST', scheme: 'http', authority: 'here', path: '/mcp?x=1' },
  headers: [['x-request-id', 'sent']],
}
const REPORT = { chain: ['gateway', 'echo'], calls: [], spans: [], droppedSpans: 0, losses: 0 }

/** A sink that writes down what it is told. */
function recorder(name: string, told: string[], more: RequestFollower = {}): RequestSink {
  const follower: RequestFollower = {
    body: () => void told.push(`${name} body`),
    line: (_, stream, line) => void told.push(`${name} ${stream} ${line}`),
    answered: (principal) => void told.push(`${name} answered ${principal}`),
    failed: (error) => void told.push(`${name} failed ${String(error)}`),
    report: ({ chain }) => void told.push(`${name} report ${chain.join()}`),
    end: ({ outcome, components }) => void told.push(`${name} end ${outcome} ${components.join()}`),
    ...more,
  }
  return { begin: () => follower }
}

function watched(sinks: readonly RequestSink[]) {
  const headers = { 'x-request-id': 'i'.repeat(300) }
  const request = { method: 'POST', headers, socket: {} } as unknown as IncomingMessage
  const state = { headersSent: true, statusCode: 200, writableFinished: true }
  const response = Object.assign(new EventEmitter(), state) as unknown as ServerResponse
  return { watch: new RequestWatch(request, response, '/mcp', sinks), response }
}

test('every sink is told the same, in their order', () => {
  const told: string[] = []
  const { watch, response } = watched([recorder('a', told), recorder('b', told)])
  watch.routed('/...')
  watch.flies('gateway')
  watch.body(new Uint8Array())
  watch.line('echo', 'stdout', 'hello')
  watch.answered('key:ci', [])
  watch.over(REPORT)
  response.emit('close')
  const events = ['body', 'stdout hello', 'answered key:ci', 'report gateway,echo']
  const all = [...events, 'end answered gateway,echo']
  expect(told).toEqual(all.flatMap((event) => [`a ${event}`, `b ${event}`]))
})

test('each follower may change the headers and the trace of the one before', () => {
  const context = (spanId: string): TraceContext => ({
    ...{ traceId: 't', spanId, sampled: true, state: '' },
  })
  const seen: unknown[] = []
  const { watch } = watched([
    recorder('a', [], {
      enters: (_, { headers }) => withRequestId(headers, 'a'),
      flies: () => context('a'),
    }),
    recorder('b', []),
    recorder('c', [], {
      enters: (_, { headers }, principal) => (
        seen.push(headers, principal),
        [...headers, ['c', '1']]
      ),
      flies: (_, before) => context(`${before?.spanId}c`),
    }),
  ])
  watch.routed('/...')
  expect(watch.enters('gateway', HEAD, 'key:ci')).toEqual([
    ['x-request-id', 'a'],
    ['c', '1'],
  ])
  expect(seen).toEqual([[['x-request-id', 'a']], 'key:ci'])
  expect(watch.flies('gateway')).toEqual(context('ac'))
})

test('a request that was refused before its route was known is ended, and nothing follows it', () => {
  const told: string[] = []
  const ended = vi.fn()
  const { response } = watched([recorder('a', told), { ended }])
  response.emit('close')
  expect(told).toEqual([])
  expect(ended).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ route: undefined, components: [], requestId: 'i'.repeat(128) }),
  )
})

test('the end of an answered request waits for its worker, but not for long', () => {
  const told: string[] = []
  const soon = watched([recorder('a', told)])
  soon.watch.routed('/...')
  soon.watch.flies('gateway')
  soon.response.emit('close')
  expect(told).toEqual([])
  soon.watch.over(REPORT)
  expect(told).toEqual(['a report gateway,echo', 'a end answered gateway,echo'])
  told.length = 0
  const late = watched([recorder('a', told)])
  late.watch.routed('/...')
  late.watch.flies('gateway')
  late.response.emit('close')
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['a end answered gateway'])
  late.watch.over(REPORT)
  expect(told).toEqual(['a end answered gateway', 'a report gateway,echo'])
})

test('why it failed is told, and the first reason is that of the entry', () => {
  const told: string[] = []
  const ended = vi.fn()
  const { watch, response } = watched([recorder('a', told), { ended }])
  Object.assign(response, { writableFinished: false })
  watch.routed('/...')
  watch.failed(new Error('one'))
  watch.failed(new Error('two'))
  response.emit('close')
  expect(told).toEqual(['a failed Error: one', 'a failed Error: two', 'a end cut '])
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ outcome: 'cut', reason: 'one' }))
})

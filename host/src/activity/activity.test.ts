// Requests that nothing watches: they are listed when they have ended, by objects that are used again.
import { beforeEach, expect, test } from 'vitest'
import type { RequestEntry } from '../requests/request-entry.ts'
import { Activity } from './activity.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

let activity: Activity
beforeEach(() => {
  activity = new Activity({
    application: { name: 'test', version: undefined },
    components: ['gateway', 'echo'],
    instances: () => [],
    development: false,
    limits: { entries: 5, bytes: 1024 ** 2 },
  })
})

interface Happening extends Partial<Omit<RequestEntry, 'path'>> {
  headers?: Record<string, string>
  chain?: readonly string[]
  losses?: number
  principal?: string
  answerId?: string
  /** The worker reports after the answer has ended. */
  late?: boolean
}

/** A request to `path`. @returns what its worker calls when it has finished later. */
function happen(path: string, happening: Happening = {}): () => void {
  const { headers = {}, chain = ['echo'], losses = 0, principal, answerId, late } = happening
  const { method = 'GET' } = happening
  const observer = activity.begin({ method, path, route: '/...', headers, client: undefined })
  observer.flies(chain[0] ?? '', undefined)
  const report = () => observer.report({ chain, losses, calls: [], spans: [], droppedSpans: 0 })
  if (!late) report()
  observer.answered(principal, answerId === undefined ? [] : [['x-request-id', answerId]])
  const { status = 200, milliseconds = 1.5, bytes = 3, outcome = 'answered', reason } = happening
  const components = late ? chain.slice(0, 1) : chain
  observer.end({
    ...{ method, path, route: '/...', components, status, milliseconds, bytes, outcome, reason },
    requestId: undefined,
  })
  return report
}

const listed = () => [...activity.requests.since(0)].map((each) => each.toWire(false))

test('it has what is known without a reader, and an id although nothing gave it one', () => {
  const before = Date.now()
  happen('/tools/echo', { method: 'POST', headers: { 'user-agent': 'curl/8' }, principal: 'ada' })
  const [shown] = listed()
  const { id = '', time = '', ...others } = shown ?? {}
  expect(others).toEqual({
    ...{
      method: 'POST',
      path: '/tools/echo',
      target: 'echo',
      components: ['echo'],
      outcome: 'ok',
      status: 200,
    },
    ...{ ms: 1.5, bytes: 3, principal: 'ada', client: { agent: 'curl/8' }, retries: 0, calls: [] },
    ...{ watched: false, counts: { spans: 0, kv: 0, network: 0, lines: 0, dropped: 0 } },
  })
  expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
  expect(id).toMatch(UUID)
  expect(listed()[0]?.id).toBe(id)
})

test.each([
  ['the client', { headers: { 'x-request-id': 'of-client' } }, 'of-client'],
  [
    'the answer',
    { headers: { 'x-request-id': 'of-client' }, answerId: 'of-gateway' },
    'of-gateway',
  ],
])('its id is that of %s', (_, happening, id) => {
  happen('/', happening)
  expect(listed()[0]?.id).toBe(id)
})

test('an id of the client that no gateway would use is replaced', () => {
  happen('/', { headers: { 'x-request-id': 'two words' } })
  expect(listed()[0]?.id).toMatch(UUID)
})

test('what a request had is not in one that takes its place', () => {
  for (let i = 0; i < 5; i++) {
    happen(`/first/${i}`, {
      ...{ method: 'POST', principal: 'ada', losses: 2, chain: ['gateway', 'echo'], status: 500 },
      ...{
        reason: 'broke',
        outcome: 'cut',
        headers: { 'user-agent': 'curl/8', 'x-request-id': 'a' },
      },
    })
  }
  const first = listed()
  for (let i = 0; i < 7; i++) happen(`/second/${i}`)
  expect(first.map(({ path }) => path)).toEqual([0, 1, 2, 3, 4].map((i) => `/first/${i}`))
  const second = listed()
  expect(second.map(({ path }) => path)).toEqual([2, 3, 4, 5, 6].map((i) => `/second/${i}`))
  expect(new Set(second.map(({ id }) => id)).size).toBe(5)
  for (const shown of second) {
    expect(shown).toMatchObject({ method: 'GET', components: ['echo'], outcome: 'ok', retries: 0 })
    for (const member of ['principal', 'reason', 'client']) expect(shown).not.toHaveProperty(member)
  }
})

test('what its worker reports later is added, and it becomes the last one', () => {
  const report = happen('/stream', { chain: ['gateway', 'echo'], late: true })
  happen('/other')
  expect(listed()[0]).toMatchObject({ path: '/stream', components: ['gateway'] })
  report()
  expect(listed()[1]).toMatchObject({ path: '/stream', components: ['gateway', 'echo'] })
})

test('what its worker reports after the ring has dropped it changes no other request', () => {
  const report = happen('/stream', { chain: ['gateway', 'echo'], losses: 3, late: true })
  for (let i = 0; i < 5; i++) happen(`/after/${i}`)
  report()
  happen('/last')
  report()
  const shown = listed()
  expect(shown.map(({ path }) => path)).toEqual([
    ...['/after/1', '/after/2', '/after/3', '/after/4', '/last'],
  ])
  expect(shown.every(({ retries }) => retries === 0)).toBe(true)
  // It is counted all the same.
  expect(activity.components).toMatchObject([
    { id: 'gateway', calls: 2 },
    { id: 'echo', calls: 8 },
  ])
})

test('a failure names the request that is listed', () => {
  happen('/', { status: 502, reason: 'worker lost' })
  const [shown] = listed()
  expect(activity.components[1]?.lastFailure).toMatchObject({
    ...{ request: shown?.id, reason: 'worker lost' },
  })
})

test('requests of one route share the list of their components, whatever names a guest made up', () => {
  happen('/a', { chain: ['gateway', 'echo', 'gateway'] })
  happen('/b', { chain: ['gateway', 'echo', 'gateway'] })
  const long = Array.from({ length: 40 }, (_, i) => `${i}${'x'.repeat(500)}`)
  happen('/c', { chain: long })
  const [a, b, c] = listed()
  expect(a?.components).toEqual(['gateway', 'echo'])
  expect(b?.components).toBe(a?.components)
  expect(c?.components).toHaveLength(32)
  expect(Math.max(...(c?.components ?? []).map((name) => name.length))).toBe(128)
})

test('requests for the activity itself are not listed', () => {
  happen('/activity')
  expect(listed()).toEqual([])
})

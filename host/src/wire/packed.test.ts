import { expect, it } from 'vitest'
import type { FromWorker, ToWorker } from './messages.ts'
import { pack, unpack } from './packed.ts'

const cross = <M extends FromWorker | ToWorker>(message: M): M =>
  unpack(structuredClone(pack(message)) as M)

const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)

it.each<FromWorker | ToWorker>([
  {
    type: 'response',
    id: 7,
    status: 200,
    // What headers hold: bytes as characters, quotes, a name that is a member of every object.
    headers: [
      ['x-any', String.fromCharCode(...bytes)],
      ['__proto__', '"\\'],
      ['x-any', ''],
    ],
    body: bytes,
    chain: ['gateway', 'echo'],
    calls: [{ component: 'echo', method: 'POST', path: '/\u2028', status: 200 }],
    report: { principal: 'ada', calls: 2 },
    done: { chain: ['gateway'], calls: [], spans: [], droppedSpans: 0 },
  },
  { type: 'chunk', id: 7, bytes },
  { type: 'cancel', id: 7 },
])('arrives as it was sent: $type', (message) => {
  expect(cross(message)).toEqual(message)
})

it('a body that follows in pieces is told from an empty one', () => {
  const head = { method: 'POST', scheme: 'http', authority: 'a', path: '/', headers: [] } as const
  const request: ToWorker = {
    type: 'request',
    id: 7,
    component: 'echo',
    head,
    body: undefined,
    offered: false,
    avoid: [],
    trace: undefined,
    sender: '',
  }
  expect(cross(request)).toEqual(request)
  expect(cross({ ...request, body: new Uint8Array() })).toEqual({
    ...request,
    body: new Uint8Array(),
  })
})

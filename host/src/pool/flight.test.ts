// Requests, and the calls of their guests to components in other workers, without the threads.
import { expect, test } from 'vitest'
import { Pipe } from '../http/pipe.ts'
import { Claims, claimSlots } from '../wire/request-claims.ts'
import type { FromWorker, ToWorker } from '../wire/messages.ts'
import { Flight, type FlightOptions } from './flight.ts'

const HEAD = { method: 'POST', scheme: 'http', authority: 'app', path: '/', headers: [] } as const
const DONE = { chain: [], calls: [], spans: [], droppedSpans: 0 }
const AGAIN = 'the request began again'

let ids = 0
const over: Flight[] = []

interface Flying {
  flight: Flight
  /** What its worker was sent. */
  sent: ToWorker[]
  /** Its worker reports. */
  receive: (message: Partial<FromWorker> & Pick<FromWorker, 'type'>) => void
}

/** A request that is sent to a worker. @param outer whose guest calls; `undefined` for a request from outside */
async function started(
  component: string,
  outer?: Flight,
  options: Partial<FlightOptions> & { signal?: AbortSignal; isWaiting?: true } = {},
): Promise<Flying> {
  const { signal, isWaiting, ...more } = options
  const flight = new Flight({
    id: ++ids,
    component,
    request: { ...HEAD, body: Pipe.empty(), ...(signal && { signal }) },
    timeoutMs: Infinity,
    watch: undefined,
    places: [],
    sender: '',
    ...(outer && {
      inner: { outer, nth: 0, origin: { depth: 1, headers: [], callers: [] }, trace: undefined },
    }),
    onAudit: () => {},
    onServed: () => {},
    onOver: (ended) => over.push(ended),
    ...more,
  })
  await flight.prepare()
  const sent: ToWorker[] = []
  const claims = new Claims(claimSlots())
  flight.start({ claims, post: (message) => sent.push(message) })
  if (!isWaiting) claims.take(flight.id)
  const receive: Flying['receive'] = (message) =>
    flight.receive({ id: flight.id, ...message } as Parameters<Flight['receive']>[0])
  return { flight, sent, receive }
}

const effect = { type: 'effect', place: { component: 'tool', nth: 0 } } as const
const done = { type: 'done', ...DONE } as const

test('what a call in another worker has changed is not repeated, however far down the chain', async () => {
  const gateway = await started('gateway')
  const tool = await started('tool', gateway.flight)
  const store = await started('store', tool.flight)
  store.receive(effect)
  const flights = [gateway, tool, store].map(({ flight }) => flight.repeatable)
  expect(flights).toEqual([false, false, false])
})

test('a request begins again once its calls in other workers have ended', async () => {
  const gateway = await started('gateway')
  const tool = await started('tool', gateway.flight)
  const again = gateway.flight.again(AGAIN)
  const settled: boolean[] = []
  void again.then((may) => settled.push(may))
  await new Promise(setImmediate)
  expect(settled).toEqual([])
  expect(tool.sent.at(-1)).toMatchObject({ type: 'abandon' })
  tool.receive(done)
  expect(await again).toBe(true)
})

test('a call that its worker has not begun ends at once', async () => {
  const gateway = await started('gateway')
  const tool = await started('tool', gateway.flight, { isWaiting: true })
  expect(await gateway.flight.again(AGAIN)).toBe(true)
  expect(over).toContain(tool.flight)
})

test('a request does not begin again if a call in another worker changes something before it ends', async () => {
  const gateway = await started('gateway')
  const tool = await started('tool', gateway.flight)
  const again = gateway.flight.again(AGAIN)
  tool.receive(effect)
  tool.receive(done)
  expect(await again).toBe(false)
})

test('a request is over, and frees its place, once its calls in other workers have ended', async () => {
  const gateway = await started('gateway')
  const tool = await started('tool', gateway.flight)
  const store = await started('store', tool.flight)
  gateway.receive(done)
  tool.receive(done)
  expect(over).not.toContain(gateway.flight)
  store.receive(done)
  expect(over.slice(-3)).toEqual([store.flight, tool.flight, gateway.flight])
})

test('what is kept of its calls in other workers is bounded', async () => {
  const reported = Promise.withResolvers<{ chain: readonly string[]; calls: readonly unknown[] }>()
  const watch = { over: reported.resolve, flies: () => undefined, body: () => undefined } as never
  const gateway = await started('gateway', undefined, { watch })
  const call = { component: 'store', method: 'GET', path: '/', status: 200 }
  const calls = Array.from({ length: 32 }, () => call)
  for (let nth = 0; nth < 1500; nth++) {
    const tool = await started('tool', gateway.flight)
    tool.receive({ ...done, chain: ['tool', 'store'], calls })
  }
  gateway.receive({ ...done, chain: ['gateway'] })
  const { chain, calls: kept } = await reported.promise
  expect([chain.length, kept.length]).toEqual([1000, 32])
})

test('a call whose caller left before a worker was ready never begins', async () => {
  const gateway = await started('gateway')
  const tool = await started('tool', gateway.flight, { signal: AbortSignal.abort() })
  expect(tool.sent).toEqual([])
  await expect(tool.flight.response).rejects.toMatchObject({ code: 'connection-terminated' })
  expect(over).toContain(tool.flight)
})

import { expect, test, vi } from 'vitest'
import { HttpError } from '../http/http-error.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import type { OutboundRequest } from '../instance/services.ts'
import { serve, textOf } from './testing/serve.ts'

test('a component is asked as the host sends requests', async () => {
  const sent: OutboundRequest[] = []
  const { response } = serve(
    `const answer = await host.fetch('http://echo.spin.internal/x?y#z', { redirect: 'manual', method: 'POST', headers: { A: 'b', host: 'other' }, body: 'ü' })
     return new Response(answer.status + (await answer.text()) + answer.headers.get('c'))`,
    {
      outbound: {
        send: async (request) => {
          sent.push(request)
          const body = new Pipe()
          body.write(Buffer.from('answer'))
          body.end()
          return { status: 404, headers: [['c', 'd']], body }
        },
      },
    },
  )
  expect(await textOf(await response)).toBe('404answerd')
  const [{ body, ...request } = { body: Pipe.empty() }] = sent
  expect(request).toMatchObject({
    method: 'POST',
    scheme: 'http',
    authority: 'echo.spin.internal',
    path: '/x?y',
    headers: [
      ['a', 'b'],
      ['content-type', 'text/plain;charset=UTF-8'],
      ['content-length', '2'],
    ],
  })
  expect(Buffer.from(body.read(10) ?? []).toString()).toBe('ü')
})

test('a request that could be redirected is refused, because a component would follow', async () => {
  const { response } = serve(
    `return new Response(await host.fetch('http://a.spin.internal/x').catch((error) => error.message))`,
  )
  expect(await textOf(await response)).toBe('fetch needs redirect: "manual" here')
})

test('a request that fails is an error with its reason', async () => {
  const { response } = serve(
    `try { await host.fetch('http://a.spin.internal/', { redirect: 'manual' }) } catch (error) { return new Response(error.name + error.message) }`,
    { outbound: { send: () => Promise.reject(new HttpError('connection-refused')) } },
  )
  expect(await textOf(await response)).toBe(
    'TypeErrorfetch failed: http://a.spin.internal: connection-refused',
  )
})

test('an aborted request is ended at the host, and what is read of its body too', async () => {
  const body = new Pipe()
  const { response } = serve(
    `const controller = new AbortController()
     const answer = await host.fetch('http://a.spin.internal/', { redirect: 'manual', signal: controller.signal })
     const text = answer.text()
     controller.abort(new Error('too late'))
     return new Response(await text.catch((error) => error.message))`,
    { outbound: { send: async () => ({ status: 200, headers: [], body }) } },
  )
  expect(await textOf(await response)).toBe('too late')
  expect(body.cancelled).toBe(true)
})

test('an aborted request is over at once, whenever the one that was asked ends', async () => {
  const signals: AbortSignal[] = []
  const late = new Pipe()
  let answer: ((response: HttpResponse) => void) | undefined
  const { response } = serve(
    `const controller = new AbortController()
     setTimeout(() => controller.abort(new Error('too late')), 1)
     const signal = controller.signal
     return new Response(await host.fetch('http://a.spin.internal/', { redirect: 'manual', signal }).catch((error) => error.message))`,
    {
      outbound: {
        send: ({ signal }) => {
          signals.push(signal)
          return new Promise((resolve) => (answer = resolve))
        },
      },
    },
  )
  expect(await textOf(await response)).toBe('too late')
  expect(signals[0]?.aborted).toBe(true)
  answer?.({ status: 200, headers: [], body: late })
  await vi.waitFor(() => expect(late.cancelled).toBe(true))
})

test('a body that is not read is cancelled with the request', async () => {
  const body = new Pipe()
  const { run } = serve(
    `await host.fetch('http://a.spin.internal/', { redirect: 'manual' }); return new Response('')`,
    {
      outbound: { send: async () => ({ status: 200, headers: [], body }) },
    },
  )
  await run
  expect(body.cancelled).toBe(true)
})

import { expect, test, vi } from 'vitest'
import { HttpError } from '../http/http-error.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import type { ComponentServices, GuestRequest, OutboundRequest } from '../instance/services.ts'
import { KeyValueError, type KeyValueStore } from '../kv/key-value.ts'
import { VariableError } from '../variables/variable-error.ts'
import { loadNativeGateway } from './load.ts'
import { NativeInstance } from './native-instance.ts'

/** @param body of a function that gets `request` and `host`. */
function gatewayOf(body: string) {
  const code = `var gateway = { createNativeGateway: (without) => async (request, host) => { ${body} } }`
  return loadNativeGateway({ kind: 'native', code, without: ['programs'] })
}

function servicesWith(services: Partial<ComponentServices> = {}): ComponentServices {
  const missing = () => {
    throw new Error('not in this test')
  }
  return {
    component: 'gateway',
    environment: {},
    outbound: { send: missing },
    files: { empty: true, stat: missing, list: missing, open: missing },
    openStore: missing,
    variable: missing,
    log: () => undefined,
    ...services,
  }
}

function requestWith(request: Partial<GuestRequest> = {}): GuestRequest {
  return {
    method: 'POST',
    scheme: 'http',
    authority: 'a.example',
    path: '/mcp?x=1',
    headers: [['content-type', 'text/plain']],
    body: Pipe.empty(),
    depth: 0,
    ...request,
  }
}

async function textOf({ body }: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  for (;;) {
    const piece = body.read(1 << 16)
    if (piece === undefined) return Buffer.concat(pieces).toString()
    if (piece.length > 0) pieces.push(piece)
    else await new Promise<void>((resolve) => void body.onReady(resolve))
  }
}

/** Runs it until it has responded; its run may go on. */
function serve(
  code: string,
  services: Partial<ComponentServices> = {},
  request: Partial<GuestRequest> = {},
) {
  const instance = new NativeInstance(gatewayOf(code), servicesWith(services))
  let run: Promise<boolean> = Promise.resolve(false)
  const response = new Promise<HttpResponse>((resolve, reject) => {
    run = instance.run(requestWith(request), resolve)
    run.catch(reject)
  })
  // A test may look at the run alone.
  response.catch(() => undefined)
  return { instance, run, response }
}

test('a request arrives as it was sent, and the response with its length', async () => {
  const body = new Pipe()
  body.write(Buffer.from('hello'))
  body.end()
  const { response, run } = serve(
    `return new Response(JSON.stringify([request.method, request.url, [...request.headers], await request.text()]), { status: 201 })`,
    {},
    { body },
  )
  const { status, headers, body: answer } = await response
  expect(status).toBe(201)
  const text = await textOf({ status, headers, body: answer })
  expect(JSON.parse(text)).toEqual([
    'POST',
    'http://a.example/mcp?x=1',
    [['content-type', 'text/plain']],
    'hello',
  ])
  expect(headers).toContainEqual(['content-length', String(Buffer.byteLength(text))])
  expect(await run).toBe(true)
})

test("headers of the connection are the host's", async () => {
  const { response } = serve(
    `return new Response('', { headers: { connection: 'close', 'transfer-encoding': 'chunked', a: 'b' } })`,
  )
  expect((await response).headers.map(([name]) => name)).toEqual([
    'a',
    'content-type',
    'content-length',
  ])
})

test('it finds no way past the host: not the network, the process or the modules', async () => {
  const { response } = serve(
    `return new Response(JSON.stringify([typeof fetch, Object.keys(globalThis), typeof require, typeof module]))`,
  )
  expect(JSON.parse(await textOf(await response))).toEqual([
    'undefined',
    [],
    'undefined',
    'undefined',
  ])
})

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

test('a variable that is not there is undefined, and one that cannot be read is an error', async () => {
  const { response } = serve(
    `let message = ''
     try { host.variable('broken') } catch (error) { message = error.message }
     return new Response([host.variable('there'), host.variable('returned'), host.variable('thrown'), message].join())`,
    {
      variable: (name) => {
        if (name === 'there') return 'value'
        if (name === 'returned') return new VariableError('undefined', 'no such variable')
        throw new VariableError(name === 'thrown' ? 'undefined' : 'provider', 'secret')
      },
    },
  )
  expect(await textOf(await response)).toBe(
    'value,,,The variable "broken" cannot be read from its provider.',
  )
})

test('a change of a store is reported before it is made', async () => {
  const order: string[] = []
  const store: KeyValueStore = {
    get: () => Buffer.from('old'),
    set: () => void order.push('set'),
    setIf: () => (order.push('setIf'), true),
    delete: () => void order.push('delete'),
    exists: () => Promise.resolve(true),
    keys: () => ['a'],
  }
  const tree = {
    since: 0,
    sender: '',
    effect: () => order.push('effect'),
  } as unknown as NonNullable<GuestRequest['tree']>
  const { response } = serve(
    `const store = host.openStore('default')
     const value = new TextDecoder().decode(await store.get('a'))
     await store.set('a', new Uint8Array(1))
     await store.setIf('a', undefined, new Uint8Array(1))
     await store.delete('a')
     return new Response([value, await store.exists('a'), await store.keys()].join())`,
    { openStore: () => store },
    {
      tree,
      place: {
        component: 'gateway',
        nth: 0,
        guest: { request: 1, component: 0, nth: 0 },
        effectReported: false,
      },
    },
  )
  expect(await textOf(await response)).toBe('old,true,a')
  expect(order).toEqual(['effect', 'set', 'effect', 'setIf', 'effect', 'delete'])
})

test('a store that it may not open is an error with its code', async () => {
  const { response } = serve(
    `try { host.openStore('other') } catch (error) { return new Response(error.code) }`,
    {
      openStore: () => {
        throw new KeyValueError('access-denied')
      },
    },
  )
  expect(await textOf(await response)).toBe('access-denied')
})

test('what it prints are lines of its request, also after it has waited', async () => {
  const lines: string[] = []
  const { run } = serve(
    `console.log('one', { a: 1 }); await new Promise((resolve) => setTimeout(resolve, 1)); console.error('two'); return new Response('')`,
    { log: (stream, line) => void lines.push(`${stream} ${line}`) },
  )
  await run
  expect(lines).toEqual(['stdout one { a: 1 }', 'stderr two'])
})

test('a stream is written no faster than it is read, and its end is the end', async () => {
  let pulled = 0
  vi.stubGlobal('pulled', () => pulled++)
  const { response, run } = serve(
    `return new Response(new ReadableStream({ pull(controller) { if (pulled() === 40) controller.close(); else controller.enqueue(new Uint8Array(16384)) } }))`,
  )
  const answer = await response
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(pulled).toBeLessThan(20)
  expect((await textOf(answer)).length).toBe(40 * 16_384)
  expect(await run).toBe(true)
  vi.unstubAllGlobals()
})

test('a reader that has gone ends the stream', async () => {
  const ended = vi.fn<() => void>()
  vi.stubGlobal('ended', ended)
  const { response, run } = serve(
    `return new Response(new ReadableStream({ pull: () => new Promise(() => {}), cancel: ended }))`,
  )
  ;(await response).body.cancel()
  await run
  expect(ended).toHaveBeenCalledOnce()
  vi.unstubAllGlobals()
})

test('a stream that breaks off does not look complete', async () => {
  const { response, run } = serve(
    `let first = true
     return new Response(new ReadableStream({ pull(controller) { if (first) controller.enqueue(new Uint8Array(1)); else controller.error(new Error('broken')); first = false } }))`,
  )
  const answer = await response
  await expect(run).rejects.toThrow('broken')
  await expect(textOf(answer)).rejects.toThrow(HttpError)
})

test('the run waits for work that outlives the response, and no failure of it ends the thread', async () => {
  let done = false
  vi.stubGlobal('finish', () => (done = true))
  const { run } = serve(
    `host.waitUntil(Promise.reject(new Error('lost')))
     host.waitUntil(new Promise((resolve) => setTimeout(resolve, 5)).then(finish))
     return new Response('')`,
  )
  expect(await run).toBe(true)
  expect(done).toBe(true)
  vi.unstubAllGlobals()
})

test('one that is ended stops where it waits, and gets nothing more of the host', async () => {
  const sent = vi.fn<() => Promise<HttpResponse>>(() => new Promise(() => {}))
  const { instance, run } = serve(
    `await host.fetch('http://a.spin.internal/', { redirect: 'manual' }).catch(() => undefined)
     await host.fetch('http://b.spin.internal/', { redirect: 'manual' })`,
    { outbound: { send: sent } },
  )
  instance.abandon('was ended')
  const error: unknown = await run.catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('was ended')
  expect(instance.wasAbandoned(error)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(sent).toHaveBeenCalledOnce()
})

test('after its request it gets nothing more of the host', async () => {
  const errors: string[] = []
  vi.stubGlobal('failed', (error: Error) => errors.push(error.message))
  const { run } = serve(
    `setTimeout(() => { try { host.variable('a') } catch (error) { failed(error) } }, 5); return new Response('')`,
    { variable: () => 'value' },
  )
  await run
  await vi.waitFor(() => expect(errors).toEqual(['its request has ended']))
  vi.unstubAllGlobals()
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

test('an instance that was put back serves the next request', async () => {
  const { instance, run } = serve(`return new Response('x')`)
  await run
  instance.reset()
  const response = await new Promise<HttpResponse>((resolve) => {
    void instance.run(requestWith(), resolve)
  })
  expect(await textOf(response)).toBe('x')
})

import { expect, test } from 'vitest'
import type { HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import { requestWith, serve, textOf } from './testing/serve.ts'

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

test('what it prints are lines of its request, also after it has waited', async () => {
  const lines: string[] = []
  const { run } = serve(
    `console.log('one', { a: 1 }); await new Promise((resolve) => setTimeout(resolve, 1)); console.error('two'); return new Response('')`,
    { log: (stream, line) => void lines.push(`${stream} ${line}`) },
  )
  await run
  expect(lines).toEqual(['stdout one { a: 1 }', 'stderr two'])
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

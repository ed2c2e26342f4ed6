// Held to the classes of Node, which are the specification's.
import { describe, expect, test } from 'vitest'
import { Pipe } from '../http/pipe.ts'
import { HttpError } from '../http/http-error.ts'
import { Body } from './body.ts'
import { NativeRequest, NativeResponse } from './messages.ts'
import { PipeSource } from './pipe-source.ts'

const BODIES: [string, string | Uint8Array<ArrayBuffer> | URLSearchParams | null][] = [
  ['a text', 'h\u00e9llo'],
  ['an empty text', ''],
  ['bytes', Uint8Array.of(1, 2, 3)],
  ['parameters', new URLSearchParams({ a: '1 2' })],
  ['none', null],
]

describe.each(BODIES)('a response with %s', (_, body) => {
  test('has the same head', () => {
    const ours = new NativeResponse(body, { status: 201, headers: { a: 'b' } })
    const theirs = new Response(body, { status: 201, headers: { a: 'b' } })
    expect(ours.status).toBe(theirs.status)
    expect([...ours.headers]).toEqual([...theirs.headers])
    expect(ours.body === null).toBe(theirs.body === null)
  })
  test('is read as bytes', async () =>
    expect([...(await new NativeResponse(body).bytes())]).toEqual([
      ...(await new Response(body).bytes()),
    ]))
  test('is read as a stream', async () => {
    const { body: stream } = new NativeResponse(body)
    const read = stream ? await new Response(stream).text() : ''
    expect(read).toBe(await new Response(body).text())
  })
  test('has a clone that is read like it', async () => {
    const ours = new NativeResponse(body, { status: 201, headers: { a: 'b' } })
    const clone = ours.clone()
    expect([...clone.headers]).toEqual([...ours.headers])
    expect(clone.status).toBe(201)
    expect(await clone.text()).toBe(await new Response(body).text())
    expect(await ours.text()).toBe(await new Response(body).text())
    // Node says so only of a response with a body.
    expect(() => ours.clone()).toThrow(TypeError)
  })
  test('is read within a limit', async () => {
    const text = await new Response(body).text()
    const size = Buffer.byteLength(text)
    const within = (limit: number) => Body.textWithin(new NativeResponse(body), limit, 0)
    expect(await within(size)).toBe(text)
    if (size > 0) expect(await within(size - 1)).toBeUndefined()
  })
})

test.each([99, 199, 600, Number.NaN])('the status %s is refused', (status) => {
  expect(() => new NativeResponse(null, { status })).toThrow(RangeError)
  expect(() => new Response(null, { status })).toThrow(RangeError)
})

test.each([204, 304])('a response with status %s has no body', (status) => {
  expect(() => new NativeResponse('x', { status })).toThrow(TypeError)
  expect(new NativeResponse(null, { status }).body).toBeNull()
})

test('a body is read once', async () => {
  const response = new NativeResponse('x')
  await response.text()
  await expect(response.text()).rejects.toThrow(TypeError)
})

test.each(['get', 'POST', 'Patch', 'patch', 'x-own'])('the method %s', (method) =>
  expect(new NativeRequest('http://a/', { method }).method).toBe(
    new Request('http://a/', { method }).method,
  ),
)

test('an address is in its usual form', () =>
  expect(new NativeRequest('HTTP://Example.com:80/a/../b?c#d').url).toBe(
    new Request('HTTP://Example.com:80/a/../b?c#d').url,
  ))

describe('a body that arrives in pieces', () => {
  const bytes = Buffer.from('h\u00e9llo')
  test('is whole text, also where a piece ends within a character', async () => {
    const pipe = new Pipe()
    const text = Body.textWithin(new NativeResponse(new PipeSource(pipe)), 100, 0)
    pipe.write(bytes.subarray(0, 2))
    await Promise.resolve()
    pipe.write(bytes.subarray(2))
    pipe.end()
    expect(await text).toBe('h\u00e9llo')
  })
  test('is not waited for beyond its announced length', async () => {
    const pipe = new Pipe()
    pipe.write(bytes)
    expect(await Body.textWithin(new NativeResponse(new PipeSource(pipe)), 100, bytes.length)).toBe(
      'h\u00e9llo',
    )
  })
  test('is cancelled beyond its limit', async () => {
    const pipe = new Pipe()
    pipe.write(bytes)
    expect(await Body.textWithin(new NativeResponse(new PipeSource(pipe)), 3, 0)).toBeUndefined()
    expect(pipe.cancelled).toBe(true)
  })
  test('fails as its writer does', async () => {
    const pipe = new Pipe()
    const response = new NativeResponse(new PipeSource(pipe))
    pipe.write(bytes)
    pipe.fail(new HttpError('connection-terminated'))
    await expect(response.text()).rejects.toThrow('connection-terminated')
  })
  test('fails with the reason of an abort, and is no part of a text', async () => {
    const pipe = new Pipe()
    const source = new PipeSource(pipe)
    pipe.write(bytes)
    const text = new NativeResponse(source).text()
    source.abort(new Error('too late'))
    await expect(text).rejects.toThrow('too late')
  })
})

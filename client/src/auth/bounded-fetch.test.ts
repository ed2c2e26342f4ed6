// Answers of authorization servers that are too long, or do not end, also where the `fetch` does not end them.
import { expect, it } from 'vitest'
import { boundedFetch } from './bounded-fetch.ts'

const SERVER = new URL('https://mcp.example/mcp')

/** Ignores the signal, as the body of a response does on some hosts. */
const answering = (
  pull: (controller: ReadableStreamDefaultController) => void | Promise<void>,
  cancel = () => {},
) => (async () => new Response(new ReadableStream({ pull, cancel }))) as typeof globalThis.fetch

it('an answer that does not end is cancelled with the request', async () => {
  let isCancelled = false
  const begun = Promise.withResolvers<void>()
  const fetch = answering(
    () => {
      begun.resolve()
      return new Promise<void>(() => {})
    },
    () => void (isCancelled = true),
  )
  const controller = new AbortController()
  const answer = boundedFetch(SERVER, { fetch, signal: controller.signal })('https://a.example/')
  await begun.promise
  controller.abort(new Error('the user has left'))
  await expect(answer).rejects.toThrow('the user has left')
  expect(isCancelled).toBe(true)
})

it('an answer that is too long is cancelled', async () => {
  let isCancelled = false
  const fetch = answering(
    (controller) => controller.enqueue(new Uint8Array(65_536)),
    () => void (isCancelled = true),
  )
  await expect(boundedFetch(SERVER, { fetch })('https://a.example/')).rejects.toThrow(
    'a.example sent more than 256 KiB',
  )
  expect(isCancelled).toBe(true)
})

it('an answer within the limits is whole', async () => {
  const parts = ['{"a"', ':1}']
  const fetch = answering((controller) => {
    const part = parts.shift()
    if (part === undefined) controller.close()
    else controller.enqueue(new TextEncoder().encode(part))
  })
  const response = await boundedFetch(SERVER, { fetch })('https://a.example/')
  expect(await response.json()).toEqual({ a: 1 })
})

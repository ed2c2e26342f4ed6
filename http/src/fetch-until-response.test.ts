import { expect, it } from 'vitest'
import { fetchUntilResponse } from './fetch-until-response.ts'

/** A network that answers when told to. */
function network() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const sent: (AbortSignal | null | undefined)[] = []
  const fetch = (_: string, init?: RequestInit) => {
    sent.push(init?.signal)
    init?.signal?.addEventListener('abort', () => resolve(Response.error()))
    return promise
  }
  return { fetch, sent, answer: () => resolve(new Response('ok')) }
}

it('aborts a request that has not been answered', async () => {
  const { fetch, sent } = network()
  const controller = new AbortController()
  const response = fetchUntilResponse({ fetch }, 'http://a/', { signal: controller.signal })
  controller.abort(new Error('left'))
  await response
  expect(sent[0]?.reason).toEqual(new Error('left'))
})

it('does not abort a response that has begun', async () => {
  const { fetch, sent, answer } = network()
  const controller = new AbortController()
  const response = fetchUntilResponse({ fetch }, 'http://a/', { signal: controller.signal })
  answer()
  expect(await (await response).text()).toBe('ok')
  controller.abort()
  expect(sent[0]?.aborted).toBe(false)
})

it('begins aborted when the signal is', async () => {
  const { fetch, sent, answer } = network()
  answer()
  await fetchUntilResponse({ fetch }, 'http://a/', { signal: AbortSignal.abort() })
  expect(sent[0]?.aborted).toBe(true)
})

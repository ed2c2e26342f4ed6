import { expect, test, vi } from 'vitest'
import { HttpError } from '../http/http-error.ts'
import { serve, textOf } from './testing/serve.ts'

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

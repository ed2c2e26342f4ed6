import { describe, expect, it } from 'vitest'
import { BodyTooLarge, readText } from './body.ts'

function chunks(parts: Uint8Array[], onCancel?: () => void): Response {
  const left = [...parts]
  return new Response(
    new ReadableStream({
      pull(controller) {
        const next = left.shift()
        if (next) controller.enqueue(next)
        else controller.close()
      },
      cancel: onCancel,
    }),
  )
}

describe('readText', () => {
  it('joins characters that are split between chunks', async () => {
    const bytes = new TextEncoder().encode('Grüße 🐉')
    const parts = [...bytes].map((byte) => new Uint8Array([byte]))
    expect(await readText(chunks(parts), { limit: 100 })).toBe('Grüße 🐉')
  })

  it('takes a body of exactly the limit', async () => {
    expect(await readText(new Response('12345'), { limit: 5 })).toBe('12345')
  })

  it('stops reading past the limit', async () => {
    let cancelled = false
    const endless = new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(1024)),
        cancel: () => void (cancelled = true),
      }),
    )
    await expect(readText(endless, { limit: 10_000 })).rejects.toThrow(BodyTooLarge)
    expect(cancelled).toBe(true)
  })

  it('does not begin when the announced length is past the limit', async () => {
    const response = new Response('123456', { headers: { 'content-length': '6' } })
    await expect(readText(response, { limit: 5 })).rejects.toThrow(BodyTooLarge)
  })

  it('reads no further once the signal has fired', async () => {
    let reads = 0
    const controller = new AbortController()
    const endless = new Response(
      new ReadableStream(
        {
          pull(stream) {
            if (++reads === 3) controller.abort()
            stream.enqueue(new Uint8Array(1))
          },
        },
        { highWaterMark: 0 },
      ),
    )
    await expect(readText(endless, { limit: 100, signal: controller.signal })).rejects.toThrow()
    expect(reads).toBe(3)
  })

  it('reads no body as nothing', async () => {
    expect(await readText(new Response(null), { limit: 5 })).toBe('')
  })
})

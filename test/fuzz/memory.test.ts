import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Component, createWorld } from '../../gateway/src/testing/components.ts'
import { offersComponent } from '../differential/component.ts'
import { fuzz } from './run.ts'

/** Offers all there is, and fails as components fail. */
const component: Component = async (request) => {
  const text = request.method === 'POST' ? await request.clone().text() : ''
  // By what it is asked, so that a failing run can be repeated.
  if (text.length % 10 === 5) throw new Error('secret-in-a-stack')
  return offersComponent(request)
}

describe('any request to the gateway', () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)

  beforeEach(() => {
    process.on('unhandledRejection', note)
    // What the gateway logs is for its operator.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    vi.restoreAllMocks()
  })

  it('is answered as the protocol wants', async () => {
    const world = createWorld({ components: { offers: component } })
    const address = 'http://localhost:3000/mcp'
    const send = ({
      headers,
      body,
    }: {
      headers: Readonly<Record<string, string>>
      body: string
    }) => {
      const request = new Request(address, { method: 'POST', headers, body })
      // A body that is text gets a type of its own.
      if (!('content-type' in headers)) request.headers.delete('content-type')
      return world.send(request)
    }
    await fuzz({ send, runs: 4_000, withinMs: 2_000 })
    await new Promise((resolve) => setTimeout(resolve))
    expect(unhandled).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/components.ts'
import { JOB_ID, jobComponent, record, store } from '../../testing/job-component.ts'

async function finished(changes = {}): Promise<World> {
  const world = createWorld({ components: { images: jobComponent().component } })
  await store(world.platform, record({ status: 'completed', ...changes }))
  return world
}

const get = (world: World, init: RequestInit = {}, file = `${JOB_ID}.png`) =>
  world.send(new Request(`http://localhost:3000/outputs/${file}`, init))

describe('GET /outputs/{file}', () => {
  it('is the file of the component that owns the job', async () => {
    const world = await finished()
    const response = await get(world)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('etag')).toBe('"v1"')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3, 4]))
    expect(world.log).toEqual([`GET http://images.spin.internal/outputs/${JOB_ID}.png`])
  })

  it('is requested for the owner of its job, and its state too', async () => {
    const { component, answers } = jobComponent()
    answers.push({ status: 'working' })
    const principals: (string | null)[] = []
    const world = createWorld({
      components: {
        images: (request) => {
          principals.push(request.headers.get('ftl-principal'))
          return component(request)
        },
      },
      variables: { trust_forwarded_user: 'without-secret' },
    })
    const old = record({ owner: 'alice' }, Date.now() - 60_000)
    await store(world.platform, old)
    const asked = (user: string, path: string) =>
      world.send(
        new Request(`http://localhost:3000${path}`, { headers: { 'x-forwarded-user': user } }),
      )
    expect((await asked('bob', `/outputs/${JOB_ID}.png`)).status).toBe(404)
    expect((await asked('bob', `/jobs/${JOB_ID}`)).status).toBe(404)
    expect(principals).toEqual([])
    expect((await asked('alice', `/outputs/${JOB_ID}.png`)).status).toBe(200)
    expect((await asked('alice', `/jobs/${JOB_ID}`)).status).toBe(200)
    expect(principals).toEqual(['alice', 'alice'])
  })

  it('is streamed, not collected', async () => {
    const world = await finished()
    let sent = 0
    world.components['images'] = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent++
            controller.enqueue(new Uint8Array(65_536))
          },
        }),
      )
    const reader = (await get(world)).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(sent).toBeLessThan(10)
  })

  it('gives a part', async () => {
    const response = await get(await finished(), { headers: { range: 'bytes=1-2' } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('bytes 1-2/4')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([2, 3]))
  })

  it('gives nothing to a client that has it already', async () => {
    const response = await get(await finished(), { headers: { 'if-none-match': '"v1"' } })
    expect(response.status).toBe(304)
  })

  it('gives the headers alone to HEAD', async () => {
    const world = await finished()
    const response = await get(world, { method: 'HEAD' })
    expect(response.headers.get('etag')).toBe('"v1"')
    expect(await response.text()).toBe('')
    expect(world.log).toEqual([`HEAD http://images.spin.internal/outputs/${JOB_ID}.png`])
  })

  it('keeps a file from acting as a page of this origin, and the owner’s cookies to itself', async () => {
    const { headers } = await get(await finished())
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('set-cookie')).toBeNull()
  })

  it.each(['nonsense', `${JOB_ID}`, `${JOB_ID}.png.exe`, `..%2F${JOB_ID}.png`, `${JOB_ID}-2.png`])(
    'does not find %s',
    async (file) => {
      const response = await get(await finished(), {}, file)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: { code: 'output_not_found' } })
    },
  )

  it('says what the owner says of a file that was deleted', async () => {
    const world = await finished()
    const error = { code: 'output_gone', message: 'It was deleted there.' }
    world.components['images'] = () => Response.json({ error }, { status: 410 })
    const response = await get(world)
    expect(response.status).toBe(410)
    expect(await response.json()).toEqual({ error })
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('does not find the file of an expired job', async () => {
    const world = await finished({ expiresAt: '2020-01-01T00:00:00Z' })
    expect((await get(world)).status).toBe(404)
    expect(world.log).toEqual([])
  })

  it.each([
    ['fails', () => new Response('secret', { status: 500 })],
    ['redirects', () => new Response(null, { status: 302, headers: { location: 'http://x/' } })],
    ['is gone', undefined],
  ])('is 502 when the owner %s', async (_how, component) => {
    const world = await finished()
    world.components['images'] = component
    const response = await get(world)
    expect(response.status).toBe(502)
    expect(await response.text()).not.toContain('secret')
  })

  it('refuses other methods', async () => {
    const response = await get(await finished(), { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })
})

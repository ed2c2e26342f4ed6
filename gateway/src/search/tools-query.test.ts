import { describe, expect, it } from 'vitest'
import { send } from '../testing/rest.ts'
import { shop } from './testing/shop.ts'

describe('GET /tools', () => {
  it('searches', async () => {
    const world = shop()
    const { body } = await send(world, '/tools?query=order&detail=full&component=shop')
    expect(body).toMatchObject({
      matches: 1,
      tools: [{ name: 'create_order', inputSchema: { required: ['item'] } }],
    })
    expect((await send(world, '/tools?query=order&format=openai')).body).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 'create_order', parameters: { required: ['item'] } },
        },
      ],
    })
    expect((await send(world, '/tools?query=order&readOnlyHint=true')).body).toMatchObject({
      matches: 0,
    })
  })

  it.each(['detail=all', 'limit=0', 'limit=51', 'limit=x', 'readOnlyHint=yes'])(
    'refuses %s with the field',
    async (query) => {
      const { status, body } = await send(shop(), `/tools?${query}`)
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ field: query.split('=')[0] })
    },
  )

  it('gives programs all tools, and models a list within the budget', async () => {
    const world = shop()
    const lengthOf = async (path: string) =>
      ((await send(world, path)).body.tools as object[]).length
    expect(await lengthOf('/tools')).toBe(62)
    expect(await lengthOf('/tools?tools=search')).toBe(4)
    expect(await lengthOf('/tools?format=openai')).toBe(4)
    expect(await lengthOf('/tools?format=openai&tools=all')).toBe(62)
    expect(await lengthOf('/tools?format=chat')).toBe(4)
  })
})

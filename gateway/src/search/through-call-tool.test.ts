import { describe, expect, it } from 'vitest'
import { as, keys } from '../testing/api-keys.ts'
import { auditLog } from '../testing/audit-log.ts'
import { send } from '../testing/rest.ts'
import { callOf, rpc, shop, textOf, V2025 } from './testing/shop.ts'

const { printed } = auditLog()

// The first is listed; the second is its older name.
describe.each(['use_tool', 'call_tool'])('%s', (called) => {
  it('has the result of the tool, as a direct call has, also of one that is not listed', async () => {
    const world = shop()
    const args = { item: 'tea' }
    const direct = await callOf(world, 'create_order', args)
    expect(direct.result?.structuredContent).toEqual({ id: 7 })
    expect(await callOf(world, called, { name: 'create_order', arguments: args })).toEqual(direct)
  })

  it.each([
    ['null', { name: 'ping_shop', arguments: null }],
    ['the whole call', { name: 'ping_shop', arguments: { name: 'ping_shop', arguments: {} } }],
  ])('takes as arguments what some clients send: %s', async (_, sent) => {
    const world = shop()
    const direct = await callOf(world, 'ping_shop', {})
    expect(direct.result?.isError).toBeUndefined()
    expect(await callOf(world, called, sent)).toEqual(direct)
  })

  it.each([
    ['invalid arguments', 'create_order', { item: 1 }],
    ['an unknown tool', 'nothing', {}],
  ])('has the error of a direct call: %s', async (_, name, args) => {
    const world = shop()
    const direct = await callOf(world, name, args)
    expect(JSON.stringify(direct)).toContain(name)
    expect(await callOf(world, called, { name, arguments: args })).toEqual(direct)
  })

  it('takes the same path in every form', async () => {
    const world = shop()
    const call = { name: 'create_order', arguments: { item: 'tea' } }
    const forms = [
      await send(world, `/tools/${called}`, { body: call }),
      await send(world, '/invoke', { body: { tool: called, params: call } }),
      await send(world, '/invoke', {
        body: {
          type: 'function',
          function: { name: called, arguments: JSON.stringify(call) },
        },
      }),
    ]
    for (const { status, body } of forms) {
      expect(status).toBe(200)
      expect(body.structuredContent).toEqual({ id: 7 })
    }
    const { status, body } = await send(world, `/tools/${called}`, {
      body: { name: 'create_order', arguments: { item: 1 } },
    })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ tool: 'create_order', field: 'arguments.item' })
  })

  it.each([
    ['no name', {}, 'name'],
    ['arguments that are not an object', { name: 'create_order', arguments: 'x' }, 'arguments'],
    ['a field too many', { name: 'create_order', argument: {} }, 'argument'],
    ['itself', { name: called, arguments: { name: 'create_order' } }, 'cannot call itself'],
  ])('refuses %s', async (_, args, word) => {
    const answer = await callOf(shop(), called, args)
    expect(answer.result?.isError).toBe(true)
    expect(textOf(answer)).toContain(word)
  })

  it('asks as the tool asks, and is audited as the tool', async () => {
    const world = shop({
      api_keys: keys('ada'),
      policy: JSON.stringify({
        rules: [{ effect: 'ask', tools: ['create_order'] }, { effect: 'allow' }],
      }),
      call_settings: 'audit=on',
    })
    const options = { headers: { ...V2025, ...as('ada') } }
    const args = { name: 'create_order', arguments: { item: 'tea' } }
    const asked = await callOf(world, called, args, options)
    const approval = asked.result?._meta?.['ftl/approval'] as { token: string }
    expect(approval.token).toBeTypeOf('string')
    expect(world.log.filter((line) => line.startsWith('POST'))).toEqual([])
    const params = {
      name: called,
      arguments: args,
      _meta: { 'ftl/approval': approval.token },
    }
    const done = await rpc(world, 'tools/call', params, options)
    expect(done.result?.structuredContent).toEqual({ id: 7 })
    // The approval is for this tool and these arguments.
    const other = { ...params, arguments: { name: 'create_order', arguments: { item: 'gold' } } }
    const forged = await rpc(world, 'tools/call', other, options)
    expect(forged.result?.isError).toBe(true)
    const audited = printed.filter((line) => line.includes('"tool'))
    expect(audited.length).toBeGreaterThanOrEqual(3)
    expect(audited.join()).toContain('create_order')
    expect(audited.join()).not.toContain(called)
  })
})

import { expect, it } from 'vitest'
import { createTool } from './create-tool.ts'
import { testTool } from '../testing/index.ts'
import { callerOf } from './caller.ts'

const tool = createTool({
  metadata: { name: 'who', description: 'Returns the caller' },
  handler: (_, { caller, principal }) => ({ caller, principal }),
})
const said = async (settings: Parameters<ReturnType<typeof testTool>['call']>[1]) =>
  (await testTool(tool).call({}, settings)).structuredContent

it('a handler learns nothing where no authentication is configured', async () => {
  expect(await said({})).toEqual({})
})

it('a handler learns the name and the scopes of its caller', async () => {
  const caller = {
    id: 'https://a.example#ada',
    scopes: ['tools'],
    issuer: 'https://a.example',
    user: 'ada',
    client: 'app',
  }
  expect(await said({ caller })).toEqual({ caller, principal: caller.id })
})

it('a caller that is only named has no scopes', async () => {
  expect(await said({ principal: 'ada' })).toEqual({
    caller: { id: 'ada', scopes: [] },
    principal: 'ada',
  })
})

it('details without a name, or that are not JSON, are not believed', () => {
  expect(callerOf(new Headers({ 'ftl-caller': '{"scopes":["x"],"id":"eve"}' }))).toBeUndefined()
  const both = new Headers({ 'ftl-principal': 'ada', 'ftl-caller': '{"id":"eve","scopes":["x"]}' })
  expect(callerOf(both)).toEqual({ id: 'ada', scopes: ['x'] })
  both.set('ftl-caller', 'nonsense')
  expect(callerOf(both)).toEqual({ id: 'ada', scopes: [] })
})

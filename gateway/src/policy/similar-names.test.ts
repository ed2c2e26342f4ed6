import { describe, expect, it } from 'vitest'
import { guardedWorld, HIDDEN } from '../testing/guarded.ts'
import { tokenWith } from '../testing/issuer.ts'
import { HEADERS_2025, rpc } from '../testing/policy-faces.ts'
import type { Rule } from './policy.ts'

describe('names that look like a permitted one', () => {
  it.each([
    'OPEN_TOOL',
    'open_too\u006c\u0301',
    '\uff4fpen_tool',
    'open\u200b_tool',
    ' open_tool',
    'open_tool ',
    'open%5ftool',
    'open__tool',
    'open__open_tool',
    'open_tool*',
    '*',
    'open*',
    '__proto__',
    'constructor',
    'toString',
    'vault__open_tool',
  ])('%j are unknown', async (name) => {
    const world = guardedWorld([{ effect: 'allow', tools: ['open_tool'] }])
    const [path, init] = rpc('tools/call', { name })
    const body = (await (await world.get(path, tokenWith(), init)).json()) as object
    expect(body).toMatchObject({ error: { code: -32001 } })
    expect(world.log.filter((line) => line.startsWith('POST'))).toEqual([])
  })
})

describe('two components that offer one name', () => {
  const SAME = 'a.name.for.openai'

  it('are told apart, at every address', async () => {
    const world = guardedWorld([{ effect: 'allow', tools: [SAME] }])
    const call = async (name: string, path = '/mcp') => {
      const [at, init] = rpc('tools/call', { name }, path)
      return (await world.get(at, tokenWith(), init)).text()
    }
    expect(await call(SAME)).toContain('from open')
    expect(await call(SAME, '/mcp/x/open')).toContain('from open')
    expect(await call(`${HIDDEN}__${SAME}`)).toContain('Tool not found')
    // At its own address this tool has the plain name, and still is the other one.
    expect(await call(SAME, `/mcp/x/${HIDDEN}`)).toContain('no_such_component')
    expect(world.log).not.toContain(`POST http://${HIDDEN}.spin.internal/${SAME}`)
  })

  it('are both denied by the name', async () => {
    const world = guardedWorld([{ effect: 'deny', tools: [SAME] }, { effect: 'allow' }])
    const list = await (await world.get('/tools', tokenWith())).text()
    expect(list).toContain('open_tool')
    expect(list).not.toContain(SAME)
  })

  it('can be permitted by the listed name, and then called at the own address', async () => {
    const world = guardedWorld([{ effect: 'allow', tools: [`${HIDDEN}__${SAME}`] }])
    const [path, init] = rpc('tools/call', { name: SAME }, `/mcp/x/${HIDDEN}`)
    expect(await (await world.get(path, tokenWith(), init)).text()).toContain(`from ${HIDDEN}`)
    const [other, same] = rpc('tools/call', { name: SAME })
    expect(await (await world.get(other, tokenWith(), same)).text()).toContain('Tool not found')
  })
})

describe('an address with escapes', () => {
  it.each([
    '%76ault://secret/page',
    'vault://s%65cret/page',
    'vault://s%2565cret/page',
    'vault://x/../secret/page',
    'VAULT://secret/page',
  ])('does not avoid a rule: %s', async (uri) => {
    const rules: Rule[] = [{ effect: 'deny', resources: ['vault://secret/*'] }, { effect: 'allow' }]
    const world = guardedWorld(rules)
    const [path, init] = rpc('resources/read', { uri }, '/mcp', HEADERS_2025)
    const answer = (await (await world.get(path, tokenWith(), init)).json()) as object
    expect(answer).toMatchObject({ error: { code: -32002 } })
    expect(world.log.filter((line) => line.includes('/resources'))).toEqual([])
  })

  it('of another user is read by a rule for the template, or for the address', async () => {
    for (const resources of [['vault://{name}/page'], ['vault://ada/*'], ['vault://*']]) {
      const world = guardedWorld([{ effect: 'allow', resources }])
      const [path, init] = rpc('resources/read', { uri: 'vault://ada/page' })
      expect(await (await world.get(path, tokenWith(), init)).text()).toContain(HIDDEN)
    }
  })
})

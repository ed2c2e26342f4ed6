import { describe, expect, it } from 'vitest'
import { guardedWorld } from '../testing/guarded.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'
import { modern } from '../testing/modern.ts'
import { posting } from '../testing/rest.ts'
import type { Rule } from './policy.ts'

const METADATA = 'https://gateway.example/.well-known/oauth-protected-resource/mcp'

const rpc = (method: string, params: object) => posting({ jsonrpc: '2.0', id: 7, method, params })

describe('if only scopes are missing', () => {
  const rules: Rule[] = [
    { effect: 'allow', name: 'a secret name', components: ['open'], scopes: ['tools', 'admin'] },
    { effect: 'allow', scopes: ['nothing'], components: ['open'], groups: ['x'] },
  ]
  const wanted = (scopes = 'tools admin', ofComponent = '') =>
    'Bearer error="insufficient_scope", error_description="The token does not have all scopes that ' +
    `this operation needs", scope="${scopes}", resource_metadata="${METADATA}${ofComponent}"`

  const USES: [use: string, path: string, init?: RequestInit][] = [
    ['a call', '/mcp', rpc('tools/call', { name: 'open_tool' })],
    [
      'a call at the address of the component',
      '/mcp/x/open',
      rpc('tools/call', { name: 'open_tool' }),
    ],
    ['a prompt', '/mcp', rpc('prompts/get', { name: 'open_prompt' })],
    ['a resource', '/mcp', rpc('resources/read', { uri: 'open://plan' })],
    [
      'a completion',
      '/mcp',
      rpc('completion/complete', {
        ref: { type: 'ref/prompt', name: 'open_prompt' },
        argument: { name: 'who', value: '' },
      }),
    ],
    ['/invoke', '/invoke', posting({ tool: 'open_tool', params: {} })],
    ['the OpenAI form', '/invoke', posting({ type: 'function', function: { name: 'open_tool' } })],
    ['/tools/{name}', '/tools/open_tool', posting({})],
  ]

  it.each(USES)('%s is answered with all scopes that it needs', async (_, path, init) => {
    const world = guardedWorld(rules)
    const response = await world.get(path, tokenWith(), init)
    expect(response.status).toBe(403)
    // The endpoint of one component is a resource with metadata of its own.
    const [, ofComponent] = /^\/mcp(\/x\/.*)/.exec(path) ?? []
    expect(response.headers.get('www-authenticate')).toBe(wanted(undefined, ofComponent))
    expect(response.headers.get('cache-control')).toBe('no-store')
    const body = (await response.json()) as { error: { message: string } }
    expect(body.error.message).toBe('This needs a token with the scopes tools admin.')
    expect(JSON.stringify(body)).not.toMatch(/secret|rule/)
    if (path.startsWith('/mcp')) expect(body).toMatchObject({ jsonrpc: '2.0', id: 7 })
    else expect(body).toMatchObject({ error: { code: 'insufficient_scope' } })
    expect(world.log.filter((line) => !/^GET [^?]*\.internal\/$/.test(line))).toEqual([])
    const enough = tokenWith({ claims: { scope: 'admin tools' } })
    expect((await world.get(path, enough, init)).status).toBe(200)
  })

  it('a call of 2026 is, too, with the scopes of every request', async () => {
    const world = guardedWorld(rules, { auth_scopes: 'base tools' })
    const request = modern('tools/call', { name: 'open_tool' })
    const token = tokenWith({ claims: { scope: 'base tools' } })
    request.headers.set('authorization', `Bearer ${token}`)
    const response = await world.send(request)
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe(wanted('base tools admin'))
  })

  it('an API key gets the same without metadata of an authorization server', async () => {
    const world = guardedWorld(rules, { auth_issuers: '' })
    const response = await world.get('/tools/open_tool', API_KEY, posting({}))
    expect(response.headers.get('www-authenticate')).toMatch(/scope="tools admin", realm="/)
  })

  it('of several calls each is answered alone', async () => {
    const both: Rule[] = [...rules, { effect: 'allow', components: ['vault'] }]
    const call = (name: string) => ({ id: name, function: { name } })
    const calls = [call('open_tool'), call('vault_tool'), call('ghost_tool')]
    const response = await guardedWorld(both).get('/invoke', tokenWith(), posting(calls))
    const [open = '', vault = '', ghost = ''] = (
      (await response.json()) as { content: string }[]
    ).map(({ content }) => content)
    expect(open).toContain('"code":"insufficient_scope"')
    expect(vault).toBe('from vault')
    expect(ghost).toContain('tool_not_found')
    const batch = ['open_tool', 'vault_tool'].map((name, id) => {
      return { jsonrpc: '2.0', id, method: 'tools/call', params: { name } }
    })
    const answers = await guardedWorld(both).get('/mcp', tokenWith(), posting(batch))
    expect(answers.status).toBe(200)
    expect(await answers.json()).toMatchObject([
      { id: 0, error: { data: { error: 'insufficient_scope', scopes: ['tools', 'admin'] } } },
      { id: 1, result: {} },
    ])
  })

  it('a call that is answered by lines ends with the error', async () => {
    const init = posting({ tool: 'open_tool', params: {} }, { accept: 'application/x-ndjson' })
    const text = await (await guardedWorld(rules).get('/invoke', tokenWith(), init)).text()
    expect(text.trim().split('\n').at(-1)).toMatch(/"type":"error","code":"insufficient_scope"/)
  })

  it('the lists do not have it, because the caller may not use it', async () => {
    const list = (await (await guardedWorld(rules).get('/tools', tokenWith())).json()) as object
    expect(list).toEqual({ tools: [] })
  })

  it('the headers of a client name no scope', async () => {
    const headers = { 'ftl-caller': '{"scopes":["admin"]}', scope: 'admin', 'x-scopes': 'admin' }
    const init = posting({ tool: 'open_tool', params: {}, scopes: ['admin'] }, headers)
    expect((await guardedWorld(rules).get('/invoke', tokenWith(), init)).status).toBe(403)
  })

  it('a token with scopes of another form has none', async () => {
    for (const scope of [{ admin: true }, 'tools,admin', ['tools admin'], 5, 'TOOLS ADMIN']) {
      const token = tokenWith({ claims: { scope } })
      const { status } = await guardedWorld(rules).get('/tools/open_tool', token, posting({}))
      expect(status).toBe(403)
    }
  })
})

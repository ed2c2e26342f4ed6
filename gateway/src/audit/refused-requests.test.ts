import { describe, expect, it } from 'vitest'
import type { Rule } from '../policy/policy.ts'
import { auditLog } from '../testing/audit-log.ts'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { call } from '../testing/components.ts'
import { guardedWorld } from '../testing/guarded.ts'
import { API_KEY } from '../testing/issuer.ts'
import { modern } from '../testing/modern.ts'
import { request } from '../testing/rest.ts'

const { printed, entries } = auditLog()

describe('a request without a caller', () => {
  const audited = { ...BOTH, call_settings: 'audit=on' }

  it.each<[string, Record<string, string>, string]>([
    ['no credentials', {}, 'No credentials'],
    [
      'a key that is not known',
      { authorization: `Bearer ftl_${'x'.repeat(43)}` },
      'The API key is not known',
    ],
    ['a token that is not valid', { authorization: 'Bearer aaaa.bbbb.cccc' }, 'The token'],
  ])(
    'with %s has a line with the reason, and without the credential',
    async (_, headers, reason) => {
      const one = authenticatedWorld(audited)
      const response = await one.send(request('/mcp', { body: call('a', {}), headers }))
      expect(response.status).toBe(401)
      expect(entries()).toEqual([
        expect.objectContaining({
          event: 'authentication',
          outcome: 'unauthenticated',
          reason: expect.stringContaining(reason) as string,
          status: 401,
        }),
      ])
      const sent = headers['authorization']?.slice('Bearer '.length)
      if (sent !== undefined) expect(printed.join()).not.toContain(sent)
    },
  )
})

describe('with a policy', () => {
  const rules: Rule[] = [
    { effect: 'deny', tools: ['open_tool'] },
    { effect: 'allow', components: ['open'] },
  ]
  const headers = { authorization: `Bearer ${API_KEY}` }
  const guarded = () => guardedWorld(rules, { call_settings: 'audit=on' })

  it.each([
    ['a tool that a rule denies', call('open_tool', {}), 'open_tool', 'denied', 1],
    ['a tool that no rule allows', call('vault_tool', {}), 'vault_tool', 'denied', undefined],
    ['a tool that a rule allows', call('open_job', {}), 'open_job', 'job', 2],
    ['a tool that does not exist', call('nope', {}), 'nope', 'refused', undefined],
  ])('%s has a line with the rule', async (_, body, name, outcome, rule) => {
    await (await guarded().send(request('/mcp', { body, headers }))).text()
    expect(entries()).toEqual([expect.objectContaining({ tool: name, outcome })])
    expect(entries()[0]?.['rule']).toBe(rule)
  })

  it('a resource and a prompt that are denied have a line, with the reason', async () => {
    const one = guarded()
    await one.send(modern('resources/read', { uri: 'vault://plan' }, { headers }))
    await one.send(modern('prompts/get', { name: 'open_prompt' }, { headers }))
    expect(entries()).toEqual([
      expect.objectContaining({
        action: 'resources/read',
        target: 'vault://plan',
        outcome: 'denied',
        reason: 'no rule permits it',
      }),
      expect.objectContaining({ action: 'prompts/get', outcome: 'ok', rule: 2 }),
    ])
  })

  it('a call that needs more scopes is denied', async () => {
    const one = guardedWorld([{ effect: 'allow', scopes: ['admin'], components: ['open'] }], {
      call_settings: 'audit=on',
    })
    const response = await one.send(request('/mcp', { body: call('open_tool', {}), headers }))
    expect(response.status).toBe(403)
    expect(entries()).toEqual([
      expect.objectContaining({ tool: 'open_tool', component: 'open', outcome: 'denied' }),
    ])
  })

  it('that is missing, every request of a caller is denied', async () => {
    const one = authenticatedWorld({ ...BOTH, policy: '', call_settings: 'audit=on' })
    await one.send(request('/mcp', { body: call('a', {}), headers }))
    expect(entries()).toEqual([
      expect.objectContaining({ principal: 'key:ci', outcome: 'denied', status: 403 }),
    ])
  })
})

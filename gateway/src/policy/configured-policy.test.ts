import { expect, it, vi } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'
import { ConfiguredPolicy } from './configured-policy.ts'
import { parsePolicy } from './parse-policy.ts'

const CALL: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } }),
}
const policyOf = (...rules: object[]) => JSON.stringify({ rules })
const ALLOW = policyOf({ effect: 'allow', tools: ['a'] })
const DENY = policyOf({ effect: 'deny', tools: ['a'] }, { effect: 'allow' })

function worldWith(policy: string, more: Record<string, string> = {}) {
  const world = authenticatedWorld({ ...BOTH, policy, ...more })
  const { variables } = world.platform
  const change = (changed: Record<string, string>) => {
    world.platform.variables = { get: (name) => changed[name] ?? variables.get(name) }
  }
  const call = async (token: string) => {
    const response = await world.get('/mcp', token, CALL)
    const text = await response.text()
    return text.includes('"result"') ? 'called' : `${response.status} ${text}`
  }
  return { change, call }
}

it('the rules decide about a token that is known as about one that is not', async () => {
  for (const [policy, expected] of [
    [ALLOW, /^called$/],
    [DENY, /Tool not found/],
  ] as const) {
    const { call } = worldWith(policy)
    const token = tokenWith()
    for (let time = 0; time < 3; time++) expect(await call(token)).toMatch(expected)
  }
})

it('another policy decides at once, also about a token that is known', async () => {
  const { change, call } = worldWith(ALLOW)
  const token = tokenWith()
  expect(await call(token)).toBe('called')
  change({ policy: DENY })
  expect(await call(token)).toMatch(/Tool not found/)
  change({ policy: ALLOW })
  expect(await call(token)).toBe('called')
})

it.each([
  '{"rules":[{"effect":"allow","tools":"a"}]}',
  '{"rules":[{"effect":"allow"}],"rules":[{"effect":"deny"}]}',
  '{"rules":[{"effect":"allow","tool":["a"]}]}',
  'signed-out',
])('an invalid policy serves no caller, whatever is known: %s', async (policy) => {
  const { change, call } = worldWith(ALLOW)
  const token = tokenWith()
  expect(await call(token)).toBe('called')
  change({ policy })
  for (let time = 0; time < 2; time++) {
    for (const credential of [token, API_KEY]) {
      expect(await call(credential)).toMatch(/^500 .*variable \\?"policy\\?" is not valid/)
    }
  }
})

it('another claim of the groups is read at once, also if the key in the policy is escaped', async () => {
  for (const key of ['groups', '\\u0067roups']) {
    const policy = `{"rules":[{"effect":"allow","${key}":["staff"]}]}`
    const { change, call } = worldWith(policy, { auth_groups_claim: 'teams' })
    const token = tokenWith({ claims: { teams: ['staff'], groups: ['guests'] } })
    expect(await call(token)).toBe('called')
    change({ auth_groups_claim: 'groups' })
    expect(await call(token)).toMatch(/Tool not found/)
  }
})

it('is checked when its rules are first read, and not if it is known to be valid', () => {
  const check = vi.fn((text: string) => parsePolicy(text)?.rules ?? [])
  const policy = new ConfiguredPolicy(DENY, check)
  expect(check).not.toHaveBeenCalled()
  expect(policy.rules).toBe(policy.rules)
  expect(check).toHaveBeenCalledTimes(1)
  const known = new ConfiguredPolicy(DENY, check)
  known.skipCheck()
  expect(known.rules).toEqual(policy.rules)
  expect(check).toHaveBeenCalledTimes(1)
  const signedIn = new ConfiguredPolicy('signed-in', check)
  signedIn.skipCheck()
  expect([signedIn.signedIn, signedIn.rules]).toEqual([true, []])
})

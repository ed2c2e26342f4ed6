import { describe, expect, it } from 'vitest'
import { guardedWorld } from '../testing/guarded.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'
import type { Rule } from './policy.ts'

describe('groups', () => {
  const staff: Rule[] = [{ effect: 'allow', groups: ['staff'] }]
  const seen = async (claims: object, variables = {}) => {
    const response = await guardedWorld(staff, variables).get('/tools', tokenWith({ claims }))
    return response.status === 200 ? (await response.text()).includes('open_tool') : response.status
  }

  it.each([
    [{ groups: ['x', 'staff'] }, true],
    [{ groups: 'staff' }, true],
    [{ groups: null }, false],
    [{}, false],
    [{ groups: ['Staff'] }, false],
    [{ groups: ['staff '] }, false],
    [{ groups: 'staff other' }, false],
    [{ roles: ['staff'] }, false],
    [{ groups: { staff: true } }, 401],
    [{ groups: ['staff', 1] }, 401],
    [{ groups: 5 }, 401],
    // Entra, for a user of more than 200 groups: a rule that denies by group must see them, or not let the user in.
    [
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
      401,
    ],
    [{ hasgroups: true }, 401],
    [{ hasgroups: 'true' }, 401],
    [{ hasgroups: false, _claim_names: { address: 'src1' } }, false],
    [{ groups: ['staff'], hasgroups: true, _claim_names: { groups: 'src1' } }, true],
  ])('of the claims %j: %s', async (claims, expected) => {
    expect(await seen(claims)).toBe(expected)
  })

  it('are those of the claim that is configured, also inside another one', async () => {
    const roles = { auth_groups_claim: 'realm_access.roles' }
    expect(await seen({ realm_access: { roles: ['staff'] } }, roles)).toBe(true)
    expect(await seen({ 'realm_access.roles': ['staff'] }, roles)).toBe(true)
    expect(await seen({ groups: ['staff'] }, roles)).toBe(false)
    expect(await seen({ realm_access: 'staff' }, roles)).toBe(false)
    expect(await seen({ groups: ['staff'] }, { auth_groups_claim: '__proto__' })).toBe(false)
    expect(await seen({ groups: ['staff'] }, { auth_groups_claim: 'constructor.name' })).toBe(false)
  })

  it('are stored with the verdict, and not used after another claim was configured', async () => {
    const world = guardedWorld(staff)
    const token = tokenWith({ claims: { groups: ['staff'], roles: [] } })
    for (let time = 0; time < 2; time++) {
      expect(await (await world.get('/tools', token)).text()).toContain('open_tool')
    }
    const { variables } = world.platform
    world.platform.variables = {
      get: (name) => (name === 'auth_groups_claim' ? 'roles' : variables.get(name)),
    }
    expect(await (await world.get('/tools', token)).text()).not.toContain('open_tool')
  })

  it('of a key or the user of a proxy are none', async () => {
    expect(await (await guardedWorld(staff).get('/tools', API_KEY)).text()).not.toContain('open_')
  })
})

import { describe, expect, it } from 'vitest'
import { decide } from './decide.ts'
import { parsePolicy } from './parse-policy.ts'
import type { Decision, Target } from '../permissions.ts'
import type { Action, Policy, Rule, Subject } from './policy.ts'

const ADA = { principal: 'https://auth.example#ada', scopes: ['tools'], groups: ['staff'] }

const ECHO: Target = { kind: 'tool', component: 'echo', name: 'echo' }

function decided(
  rules: Rule[],
  { caller = ADA, ...asked }: Partial<Target> & { action?: Action; caller?: Subject } = {},
): Decision {
  const policy = parsePolicy(JSON.stringify({ rules })) as Policy
  return decide(policy, caller, { ...ECHO, action: 'call', ...asked })
}

const effectOf = (...args: Parameters<typeof decided>) => decided(...args).effect

describe('the decision', () => {
  it('is that of the first rule that applies, and names it', () => {
    const rules: Rule[] = [
      { effect: 'deny', tools: ['upscale_image'] },
      { effect: 'ask', tools: ['delete_*'] },
      { effect: 'deny', name: 'no "pictures"', tools: ['*_image'] },
      { effect: 'allow' },
    ]
    expect(decided(rules)).toEqual({ effect: 'allow', rule: 4, reason: 'rule 4 allows it' })
    expect(decided(rules, { name: 'delete_all' })).toMatchObject({ effect: 'ask', rule: 2 })
    expect(decided(rules, { name: 'draw_image' })).toEqual({
      effect: 'deny',
      rule: 3,
      reason: 'rule 3 ("no \\"pictures\\"") denies it',
    })
  })

  it('is no if no rule applies', () => {
    const nothing = { effect: 'deny', rule: undefined, reason: 'no rule permits it' }
    expect(decided([])).toEqual(nothing)
    expect(decided([{ effect: 'allow', tools: ['other'] }])).toEqual(nothing)
  })

  it('of signed-in is yes for every caller who is', () => {
    const policy = parsePolicy('signed-in') as Policy
    const asked = { ...ECHO, action: 'call' as const }
    expect(decide(policy, ADA, asked).effect).toBe('allow')
    expect(decide(policy, undefined, asked).effect).toBe('deny')
  })
})

describe('a rule applies', () => {
  it('to the principals, groups and scopes that it names', () => {
    expect(effectOf([{ effect: 'allow', principals: ['*#ada'] }])).toBe('allow')
    expect(effectOf([{ effect: 'allow', principals: ['ada'] }])).toBe('deny')
    expect(effectOf([{ effect: 'allow', groups: ['admins', 'st*'] }])).toBe('allow')
    expect(effectOf([{ effect: 'allow', groups: ['Staff'] }])).toBe('deny')
    expect(effectOf([{ effect: 'allow', scopes: ['tools'] }])).toBe('allow')
    expect(effectOf([{ effect: 'allow', scopes: ['tools', 'more'] }])).toBe('deny')
  })

  it('to a caller without a name only if it names no caller', () => {
    const policy = (rule: Rule) => ({ rules: [rule] })
    const asked = { ...ECHO, action: 'call' as const }
    expect(decide(policy({ effect: 'allow' }), undefined, asked).effect).toBe('allow')
    for (const list of ['principals', 'groups'] as const) {
      const rule: Rule = { effect: 'allow', [list]: ['*'] }
      expect(decide(policy(rule), undefined, asked).effect).toBe('deny')
    }
    const scopes: Rule = { effect: 'allow', scopes: ['x'] }
    expect(decide(policy(scopes), undefined, asked)).not.toHaveProperty('scopes')
  })

  it('to the actions and components that it names', () => {
    const reading: Rule[] = [{ effect: 'allow', actions: ['list'] }]
    expect(effectOf(reading)).toBe('deny')
    expect(effectOf(reading, { action: 'list' })).toBe('allow')
    expect(effectOf([{ effect: 'allow', components: ['ech*'] }])).toBe('allow')
    expect(effectOf([{ effect: 'allow', components: ['Echo'] }])).toBe('deny')
  })

  it('only to tools, prompts or resources if it names some', () => {
    const rules: Rule[] = [{ effect: 'allow', tools: ['*'], resources: ['notes://*'] }]
    expect(effectOf(rules)).toBe('allow')
    expect(effectOf(rules, { kind: 'prompt' })).toBe('deny')
    expect(effectOf(rules, { kind: 'resource', name: 'notes://a' })).toBe('allow')
    expect(effectOf(rules, { kind: 'resource', name: 'echo' })).toBe('deny')
  })

  it('by annotations to tools only, with the defaults of MCP', () => {
    const destructive: Rule[] = [{ effect: 'allow', annotations: { destructiveHint: true } }]
    expect(effectOf(destructive)).toBe('allow')
    expect(effectOf(destructive, { annotations: { readOnlyHint: false } })).toBe('allow')
    expect(effectOf(destructive, { annotations: { readOnlyHint: true } })).toBe('deny')
    expect(effectOf(destructive, { annotations: { destructiveHint: false } })).toBe('deny')
    expect(effectOf(destructive, { annotations: { destructiveHint: 'false' } })).toBe('allow')
    expect(effectOf(destructive, { annotations: [] })).toBe('allow')
    expect(effectOf(destructive, { kind: 'prompt' })).toBe('deny')
    const reads: Rule[] = [{ effect: 'allow', annotations: { readOnlyHint: true } }]
    expect(effectOf(reads)).toBe('deny')
    expect(effectOf(reads, { annotations: { readOnlyHint: true } })).toBe('allow')
    const inherited = Object.create({ readOnlyHint: true }) as object
    expect(effectOf(reads, { annotations: inherited })).toBe('deny')
    expect(effectOf([{ effect: 'allow', annotations: { openWorldHint: true } }])).toBe('allow')
    expect(effectOf([{ effect: 'allow', annotations: { idempotentHint: true } }])).toBe('deny')
  })
})

describe('a name', () => {
  it('that another component has taken is still denied, and never permitted', () => {
    const renamed = { component: 'b', name: 'b__echo', alias: 'echo' }
    expect(effectOf([{ effect: 'deny', tools: ['echo'] }, { effect: 'allow' }], renamed)).toBe(
      'deny',
    )
    expect(effectOf([{ effect: 'ask', tools: ['echo'] }, { effect: 'allow' }], renamed)).toBe('ask')
    expect(effectOf([{ effect: 'allow', tools: ['echo'] }], renamed)).toBe('deny')
    expect(effectOf([{ effect: 'allow', tools: ['b__echo'] }], renamed)).toBe('allow')
  })

  it('of a resource is that with and without escapes', () => {
    const escaped = { kind: 'resource', name: 'notes://b%6fb/1', alias: 'notes://bob/1' } as const
    const bob: Rule = { effect: 'deny', resources: ['notes://bob/*'] }
    expect(effectOf([bob, { effect: 'allow' }], escaped)).toBe('deny')
    expect(effectOf([{ effect: 'allow', resources: ['notes://b%6fb/*'] }], escaped)).toBe('deny')
    expect(effectOf([{ effect: 'allow', resources: ['notes://*'] }], escaped)).toBe('allow')
  })

  it.each(['__proto__', 'constructor', 'toString', '*'])(
    'such as %s is nothing special',
    (name) => {
      expect(effectOf([{ effect: 'allow', tools: ['echo'] }], { name, component: name })).toBe(
        'deny',
      )
      const caller = { principal: name, scopes: [name], groups: [name] }
      expect(effectOf([{ effect: 'allow', principals: ['ada'] }], { caller })).toBe('deny')
      expect(effectOf([{ effect: 'allow', groups: ['staff'] }], { caller })).toBe('deny')
      expect(effectOf([{ effect: 'allow', scopes: ['tools'] }], { caller })).toBe('deny')
    },
  )
})

describe('missing scopes', () => {
  const admin: Rule = { effect: 'allow', scopes: ['tools', 'admin'] }

  it('are all that the operation needs, also those that the caller has', () => {
    expect(decided([admin])).toEqual({
      effect: 'deny',
      rule: undefined,
      reason: 'no rule permits it',
      scopes: ['tools', 'admin'],
    })
    expect(decided([admin, { effect: 'deny' }])).toMatchObject({ rule: 2, scopes: admin.scopes })
  })

  it('are not named if something else is missing, or more scopes change nothing', () => {
    expect(decided([{ ...admin, groups: ['board'] }])).not.toHaveProperty('scopes')
    expect(decided([{ ...admin, tools: ['other'] }])).not.toHaveProperty('scopes')
    expect(decided([{ effect: 'deny' }, admin])).not.toHaveProperty('scopes')
    expect(decided([{ effect: 'deny', scopes: ['admin'] }, admin])).not.toHaveProperty('scopes')
    expect(decided([admin, { effect: 'allow' }])).not.toHaveProperty('scopes')
  })
})

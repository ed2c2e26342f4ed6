import fc from 'fast-check'
import { decide, type Rule, type Subject, type Target } from 'ftl-gateway/policy'
import { expect, it } from 'vitest'
import { shadowsOf } from './shadowed.ts'

const shadowOf = (...rules: Rule[]) => shadowsOf(rules).at(-1)

it.each<[what: string, first: Rule, second: Rule, shadowed: boolean]>([
  ['everything', { effect: 'allow' }, { effect: 'deny', tools: ['a'] }, true],
  ['the same', { effect: 'deny', tools: ['a'] }, { effect: 'allow', tools: ['a'] }, true],
  [
    'a wider pattern',
    { effect: 'deny', tools: ['*_image'] },
    { effect: 'allow', tools: ['draw_image', '*_big_image'] },
    true,
  ],
  [
    'a narrower pattern',
    { effect: 'deny', tools: ['a_*'] },
    { effect: 'allow', tools: ['a*'] },
    false,
  ],
  [
    'some of the names',
    { effect: 'deny', tools: ['a'] },
    { effect: 'allow', tools: ['a', 'b'] },
    false,
  ],
  ['another kind', { effect: 'deny', tools: ['*'] }, { effect: 'allow', prompts: ['a'] }, false],
  ['one kind of all', { effect: 'deny', tools: ['*'] }, { effect: 'allow' }, false],
  [
    'fewer scopes',
    { effect: 'allow', scopes: ['a'] },
    { effect: 'deny', scopes: ['a', 'b'] },
    true,
  ],
  [
    'more scopes',
    { effect: 'allow', scopes: ['a', 'b'] },
    { effect: 'deny', scopes: ['a'] },
    false,
  ],
  ['one principal', { effect: 'allow', principals: ['key:a'] }, { effect: 'deny' }, false],
  [
    'all principals',
    { effect: 'allow', principals: ['*'] },
    { effect: 'deny', principals: ['key:*'] },
    true,
  ],
  [
    'all principals, and a caller without a name',
    { effect: 'allow', principals: ['*'] },
    { effect: 'deny' },
    false,
  ],
  [
    'one action',
    { effect: 'allow', actions: ['list'] },
    { effect: 'deny', actions: ['list', 'call'] },
    false,
  ],
  [
    'annotations',
    { effect: 'deny', annotations: { readOnlyHint: false } },
    { effect: 'allow', annotations: { readOnlyHint: false, openWorldHint: true } },
    true,
  ],
  [
    'a name that is allowed, which another tool may lose',
    { effect: 'allow', tools: ['a'] },
    { effect: 'deny', tools: ['a'] },
    false,
  ],
])('%s: %j before %j', (_, first, second, shadowed) => {
  expect(shadowOf(first, second)).toBe(shadowed ? 0 : undefined)
})

it('a rule that is said never to apply decides nothing', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 2 })
  const plain = fc.constantFrom('a', 'b', 'aa', 'ab', 'ba')
  const names = fc.array(word, { minLength: 1, maxLength: 2 })
  const scope = fc.constantFrom('r', 's')
  const parts = {
    principals: names,
    groups: names,
    scopes: fc.array(scope, { minLength: 1, maxLength: 2 }),
    components: names,
    tools: names,
    prompts: names,
    actions: fc.constantFrom(['list'], ['call'], ['list', 'call']),
    annotations: fc.record({ readOnlyHint: fc.boolean() }),
  }
  const rule = fc
    .subarray(Object.keys(parts) as (keyof typeof parts)[], { maxLength: 2 })
    .chain((keys) => {
      const effect = fc.constantFrom('allow', 'deny', 'ask')
      return fc.record({
        effect,
        ...Object.fromEntries(keys.map((key) => [key, parts[key]])),
      })
    })
  const caller = fc.record({
    principal: plain,
    groups: fc.array(plain, { maxLength: 2 }),
    scopes: fc.array(scope, { maxLength: 2 }),
  })
  const asked = fc.record(
    {
      kind: fc.constantFrom<Target['kind']>('tool', 'prompt'),
      component: plain,
      name: plain,
      alias: plain,
      annotations: fc.record({ readOnlyHint: fc.boolean() }),
      action: fc.constantFrom('list' as const, 'call' as const),
    },
    { requiredKeys: ['kind', 'component', 'name', 'action'] },
  )
  let shadowed = 0
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 5 }),
      fc.array(fc.tuple(caller, asked), { minLength: 20, maxLength: 20 }),
      (rules, uses) => {
        const shadows = shadowsOf(rules)
        shadowed += shadows.filter((place) => place !== undefined).length
        for (const [who, wanted] of uses as [Subject, Parameters<typeof decide>[2]][]) {
          const { rule: decided } = decide({ rules }, who, wanted)
          if (decided !== undefined) expect(shadows[decided - 1]).toBeUndefined()
        }
      },
    ),
    { numRuns: 500 },
  )
  expect(shadowed).toBeGreaterThan(50)
})

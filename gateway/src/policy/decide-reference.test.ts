import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decide } from './decide.ts'
import { parsePolicy } from './parse-policy.ts'
import type { Target, TargetKind } from '../permissions.ts'
import type { Action, Policy, Rule, Subject } from './policy.ts'

/** By the definition of every part, slowly. */
function reference(rules: Rule[], caller: Subject | undefined, asked: Target & { action: Action }) {
  const fits = (pattern: string, name: string) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replace(/[^\w]/g, '\\$&'))
        .join('[^]*')}$`,
    ).test(name)
  const some = (patterns: readonly string[], names: readonly string[]) =>
    patterns.some((pattern) => names.some((name) => fits(pattern, name)))
  const applies = (rule: Rule, scopes: readonly string[]) => {
    if (rule.principals && !(caller && some(rule.principals, [caller.principal]))) return false
    if (rule.groups && !some(rule.groups, caller?.groups ?? [])) return false
    if (rule.scopes && !(caller && rule.scopes.every((scope) => scopes.includes(scope))))
      return false
    if (rule.components && !some(rule.components, [asked.component])) return false
    if (rule.actions && !rule.actions.includes(asked.action)) return false
    if (rule.tools || rule.prompts || rule.resources) {
      const { tools, prompts, resources } = rule
      const lists = {
        ...{ tool: tools, prompt: prompts, resource: resources },
        ...{ component: [], chat: [], activity: [] },
      }
      const list = lists[asked.kind] ?? []
      const { alias = asked.name, template } = asked
      const isNamed = some(list, [asked.name])
      const isAlias = some(list, [alias])
      const ofTemplate = template !== undefined && list.includes(template)
      const applying =
        rule.effect !== 'allow'
          ? isNamed || isAlias
          : asked.kind === 'resource'
            ? isNamed && isAlias
            : isNamed
      if (!applying && !ofTemplate) return false
    }
    if (!rule.annotations) return true
    const { readOnlyHint: reads = false, ...stated } = (asked.annotations ?? {}) as Record<
      string,
      boolean
    >
    const full = {
      readOnlyHint: reads,
      destructiveHint: !reads,
      idempotentHint: false,
      openWorldHint: true,
      ...stated,
    }
    return (
      asked.kind === 'tool' &&
      Object.entries(rule.annotations).every(([hint, value]) =>
        Object.entries(full).some(([name, own]) => name === hint && own === value),
      )
    )
  }
  const outcome = (scopes: readonly string[]) => {
    const place = rules.findIndex((rule) => applies(rule, scopes))
    return { effect: rules[place]?.effect ?? 'deny', rule: place < 0 ? undefined : place + 1 }
  }
  const held = caller?.scopes ?? []
  const now = outcome(held)
  if (now.effect !== 'deny' || !caller) return now
  const enough = rules.find((rule) => {
    const { scopes = [], effect } = rule
    if (effect === 'deny' || scopes.every((scope) => held.includes(scope))) return false
    return applies(rule, [...held, ...scopes]) && outcome([...held, ...scopes]).effect !== 'deny'
  })
  return enough ? { ...now, scopes: enough.scopes } : now
}

it('a decision equals that of a slow reference', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*'), minLength: 1, maxLength: 3 })
  const plain = fc.constantFrom('a', 'b', 'aa', 'ab', 'a_b', '*')
  const scope = fc.constantFrom('r', 's', 't')
  const names = fc.array(word, { minLength: 1, maxLength: 3 })
  const hints = fc.record(
    {
      readOnlyHint: fc.boolean(),
      destructiveHint: fc.boolean(),
      idempotentHint: fc.boolean(),
      openWorldHint: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const action = fc.constantFrom<Action>('list', 'call', 'read')
  const parts = {
    principals: names,
    groups: names,
    scopes: fc.array(scope, { minLength: 1, maxLength: 3 }),
    components: names,
    tools: names,
    prompts: names,
    resources: names,
    actions: fc.array(action, { minLength: 1, maxLength: 2 }),
    annotations: hints.filter((value) => Object.keys(value).length > 0),
  }
  // A rule with all parts hardly ever applies.
  const rule = fc
    .subarray(Object.keys(parts) as (keyof typeof parts)[], { maxLength: 3 })
    .chain((keys) => {
      const effect = fc.constantFrom('allow', 'deny', 'ask')
      const chosen = Object.fromEntries(keys.map((key) => [key, parts[key]]))
      return fc.record({ effect, ...chosen })
    })
  const caller = fc.option(
    fc.record({
      principal: plain,
      groups: fc.array(plain, { maxLength: 2 }),
      scopes: fc.array(scope, { maxLength: 2 }),
    }),
    { nil: undefined, freq: 8 },
  )
  const kind = fc.constantFrom<TargetKind>('tool', 'prompt', 'resource', 'component', 'chat')
  const asked = fc.record(
    {
      kind,
      component: plain,
      name: plain,
      alias: plain,
      template: plain,
      annotations: hints,
      action,
    },
    { requiredKeys: ['kind', 'component', 'name', 'action'] },
  ) as fc.Arbitrary<Target & { action: Action }>
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 8 }), caller, asked, (rules, who, wanted) => {
      const policy = parsePolicy(JSON.stringify({ rules })) as Policy
      const { reason, ...decision } = decide(policy, who, wanted)
      expect(decision).toEqual(reference(rules, who, wanted))
      expect(reason).toMatch(`rule ${decision.rule ?? 'permits'} `)
      const key = decision.scopes ? 'scopes' : decision.effect
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }),
    { numRuns: 3_000 },
  )
  // Otherwise it would compare the same decision again and again.
  for (const key of ['allow', 'deny', 'ask', 'scopes']) expect(seen.get(key)).toBeGreaterThan(20)
})

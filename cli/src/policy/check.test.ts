import { OfflineEntries, parsePolicy, type Policy } from 'ftl-gateway/policy'
import { describe, expect, it } from 'vitest'
import { checkPolicy } from './check.ts'
import { asJson, explain, explainAll, sentence } from './explain.ts'
import type { Published } from './published.ts'

const schema = { inputSchema: { type: 'object' } }
const entries = new OfflineEntries([
  [
    'images',
    {
      tools: [
        { name: 'upscale_image', ...schema, annotations: { readOnlyHint: true } },
        { name: 'echo', ...schema },
      ],
      prompts: [{ name: 'review' }],
      resources: [{ uri: 'ui://viewer', name: 'viewer' }],
      resourceTemplates: [{ uriTemplate: 'notes://{user}/page', name: 'notes' }],
    },
  ],
  ['other', { tools: [{ name: 'echo', ...schema }] }],
])
const published: Published = { components: ['images', 'other'], entries, missing: [] }

const policyOf = (...rules: object[]) => parsePolicy(JSON.stringify({ rules })) as Policy
const found = (rule: object, more: Partial<Published> = {}) =>
  checkPolicy(policyOf({ effect: 'allow', ...rule }), { ...published, ...more }).map(
    ({ path, message }) => `${path} ${message}`,
  )

describe('ftl policy check', () => {
  it.each([
    { tools: ['echo', 'other__echo', 'upscale_*', '*'], components: ['images', 'oth*', 'chat'] },
    { prompts: ['review'], resources: ['ui://*', 'notes://{user}/page', 'notes://ada/*', '*'] },
  ])('finds nothing in %j', (rule) => {
    expect(found(rule)).toEqual([])
  })

  it.each([
    [
      { tools: ['upscale_imag'] },
      /^rules\[0\]\.tools\[0\] "upscale_imag" is not a tool of the components; did you mean "upscale_image"\?$/,
    ],
    [
      { tools: ['echo', 'draw_*'] },
      /^rules\[0\]\.tools\[1\] "draw_\*" matches no tool of the components$/,
    ],
    [
      { components: ['image'] },
      /^rules\[0\]\.components\[0\] "image" is not in tool_components; did you mean "images"\?$/,
    ],
    [{ prompts: ['echo'] }, /^rules\[0\]\.prompts\[0\] "echo" is not a prompt/],
    [{ resources: ['note://ada'] }, /^rules\[0\]\.resources\[0\] "note:\/\/ada" is not a resource/],
    [{ tools: ['get_job'] }, /get_job is not decided by the policy/],
  ])('names the field of %j', (rule, expected) => {
    expect(found(rule)).toEqual([expect.stringMatching(expected)])
  })

  it('says that a tool may belong to a component that could not be asked', () => {
    const missing = [{ component: 'remote', reason: 'no server' }]
    expect(found({ tools: ['far'] }, { missing })).toEqual([
      expect.stringContaining(
        '"far" is not a tool of the components that could be asked (not remote)',
      ),
    ])
  })

  it('names the rule that makes another one useless', () => {
    const policy = policyOf({ effect: 'deny', name: 'no "one"' }, { effect: 'allow' })
    expect(checkPolicy(policy, published)).toEqual([
      {
        path: 'rules[1]',
        message:
          'rule 2 can never apply: rule 1 ("no \\"one\\"") comes before it and applies to everything that it names',
      },
    ])
  })
})

describe('ftl policy explain', () => {
  const policy = policyOf(
    { effect: 'allow', principals: ['key:ci'], tools: ['echo'] },
    { effect: 'ask', tools: ['other__echo'] },
    { effect: 'deny', name: 'no pictures', tools: ['*_image'] },
    { effect: 'allow', scopes: ['notes'], resources: ['notes://*'] },
  )
  const ada = { principal: 'ada', groups: [], scopes: [] }
  const said = (...[action, name]: [Parameters<typeof explain>[3], string]) =>
    sentence(ada, explain(policy, ada, entries, action, name))

  it('answers in one sentence, with the rule', () => {
    expect(said('call', 'upscale_image')).toBe(
      'May ada call upscale_image? No: rule 3 ("no pictures") denies it.',
    )
    expect(said('call', 'other__echo')).toBe(
      'May ada call other__echo? Only with approval: rule 2 asks for approval of it.',
    )
    expect(said('call', 'echo')).toBe('May ada call echo? No: no rule permits it.')
    expect(said('read', 'notes://ada/page')).toBe(
      'May ada read notes://ada/page? No: no rule permits it. With the scopes notes it would be permitted.',
    )
    expect(said('chat', 'chat')).toBe('May ada use the chat? No: no rule permits it.')
    const ci = { principal: 'key:ci' }
    expect(sentence(ci, explain(policy, ci, entries, 'call', 'echo'))).toBe(
      'May key:ci call echo? Yes: rule 1 allows it.',
    )
  })

  it('lists only what may be used, as the gateway does', () => {
    const listing = policyOf({ effect: 'allow', actions: ['list'] })
    expect(explain(listing, ada, entries, 'list', 'echo').decision.effect).toBe('deny')
    expect(
      explain(policyOf({ effect: 'allow' }), ada, entries, 'list', 'echo').decision.effect,
    ).toBe('allow')
  })

  it.each([
    ['call', 'upscale_imag', /no tool "upscale_imag"; did you mean "upscale_image"\?/],
    ['call', 'review', /no tool "review"/],
    ['read', 'notes://ada', /no resource "notes:\/\/ada"/],
    ['get', '__proto__', /no prompt "__proto__"/],
    ['call', 'a\u001b[31m', /no tool "a[^\u001b]*"/],
  ] as const)('%s %s is not decided, because it does not exist', (action, name, expected) => {
    expect(() => said(action, name)).toThrow(expected)
  })

  it('has everything for a program', () => {
    const one = explain(policy, ada, entries, 'call', 'upscale_image')
    expect(asJson(ada, one)).toMatchObject({
      caller: ada,
      action: 'call',
      kind: 'tool',
      component: 'images',
      name: 'upscale_image',
      effect: 'deny',
      rule: 3,
    })
    expect(
      explainAll(policy, ada, entries).map(({ target, decision }) => [
        target.name,
        decision.effect,
      ]),
    ).toEqual([
      ['upscale_image', 'deny'],
      ['echo', 'deny'],
      ['other__echo', 'ask'],
      ['review', 'deny'],
      ['ui://viewer', 'deny'],
      ['notes://{user}/page', 'deny'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { parsePolicy, POLICY_LIMIT, PolicyError } from './parse-policy.ts'

const withRule = (rule: unknown) => JSON.stringify({ rules: [{ effect: 'deny' }, rule] })

function problemOf(text: string): string {
  try {
    parsePolicy(text)
  } catch (error) {
    if (error instanceof PolicyError) return error.message
    throw error
  }
  return 'none'
}

describe('a policy', () => {
  it('is the word signed-in, or rules, or nothing', () => {
    expect(parsePolicy('')).toBeUndefined()
    expect(parsePolicy('signed-in')).toEqual({ rules: [], signedIn: true })
    expect(parsePolicy('{"rules":[]}')).toEqual({ rules: [] })
  })

  it('keeps everything that a rule states', () => {
    const rule = {
      name: 'no pictures ✗',
      effect: 'ask',
      principals: ['key:*'],
      groups: ['Étudiants'],
      scopes: ['tools:read'],
      components: ['generate-image'],
      tools: ['*_image'],
      prompts: ['b__review'],
      resources: ['notes://{user}/*'],
      actions: ['list', 'call'],
      annotations: { destructiveHint: true, readOnlyHint: false },
    }
    expect(parsePolicy(JSON.stringify({ rules: [rule] }))).toEqual({ rules: [rule] })
  })

  it('may have names with quotes, colons and escapes', () => {
    const rule = { effect: 'allow', groups: ['a":"b', '\\', '{":'] }
    expect(parsePolicy(JSON.stringify({ rules: [rule] }))).toEqual({ rules: [rule] })
  })
})

describe('an invalid policy is refused with the field', () => {
  it.each([
    ['{', /^it must be the word signed-in or JSON/],
    ['Signed-In', /^it must be the word signed-in or JSON/],
    ['"signed-in"', /^it must be an object/],
    ['[]', /^it must be an object/],
    ['{}', /^rules must be a list/],
    ['{"rules":{}}', /^rules must be a list/],
    ['{"rules":[],"rule":[]}', /^it has the unknown key "rule": the keys are rules$/],
    [withRule([]), /^rules\[1\] must be an object/],
    [withRule({}), /^rules\[1\]\.effect must be one of allow, deny, ask$/],
    [withRule({ effect: 'Allow' }), /^rules\[1\]\.effect must be one of/],
    [withRule({ effect: 'allow', tool: ['a'] }), /^rules\[1\] has the unknown key "tool"/],
    [withRule({ effect: 'allow', tools: 'a' }), /^rules\[1\]\.tools must be a list/],
    [withRule({ effect: 'allow', tools: [] }), /^rules\[1\]\.tools must not be empty/],
    [withRule({ effect: 'allow', tools: ['a', 1] }), /^rules\[1\]\.tools\[1\] must be a string/],
    [withRule({ effect: 'allow', tools: [''] }), /^rules\[1\]\.tools\[0\] must be a string/],
    [withRule({ effect: 'allow', tools: ['a'.repeat(600)] }), /^rules\[1\]\.tools\[0\]/],
    [withRule({ effect: 'allow', scopes: ['tools:*'] }), /^rules\[1\]\.scopes\[0\].*\*$/],
    [withRule({ effect: 'allow', scopes: ['a b'] }), /^rules\[1\]\.scopes\[0\]/],
    [withRule({ effect: 'allow', actions: ['write'] }), /^rules\[1\]\.actions\[0\] must be one of/],
    [withRule({ effect: 'allow', annotations: {} }), /^rules\[1\]\.annotations must not be empty/],
    [
      withRule({ effect: 'allow', annotations: { destructive: true } }),
      /^rules\[1\]\.annotations has the unknown key "destructive"/,
    ],
    [
      withRule({ effect: 'allow', annotations: { readOnlyHint: 'true' } }),
      /^rules\[1\]\.annotations\.readOnlyHint must be true or false$/,
    ],
    [withRule({ effect: 'allow', name: '' }), /^rules\[1\]\.name must be a string/],
    [withRule({ effect: 'allow', name: 'a\u202eb' }), /^rules\[1\]\.name must be a string/],
    [withRule({ effect: 'allow', name: 'a\nb' }), /^rules\[1\]\.name must be a string/],
  ])('%s', (text, expected) => {
    expect(problemOf(text)).toMatch(expected)
  })

  it.each([
    ['a Cyrillic letter in the name of a tool', { tools: ['\u0435cho'] }],
    ['a full-width letter in a principal', { principals: ['key:\uff43i'] }],
    ['a letter with an accent in a component', { components: ['\u00e9cho'] }],
    ['a space before a principal', { principals: [' ada'] }],
    ['a space after the second principal', { principals: ['ada', 'eve '] }],
    ['an empty name between others', { tools: ['a', '', 'b'] }],
    ['a line break in a group', { groups: ['a\nb'] }],
  ])('%s, which no name has', (_, rule) => {
    expect(problemOf(withRule({ effect: 'allow', ...rule }))).toMatch(/must be a string of/)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'the key %s, which objects inherit',
    (key) => {
      const entry = `{"effect":"allow","${key}":["a"]}`
      expect(problemOf(`{"rules":[${entry}]}`)).toContain(`has the unknown key "${key}"`)
      expect(problemOf(`{"rules":[],"${key}":{"rules":[]}}`)).toContain('has the unknown key')
    },
  )

  it.each([
    ['{"rules":[{"effect":"deny"}],"rules":[]}', 'rules'],
    ['{"rules":[{"effect":"deny","effect":"allow"}]}', 'effect'],
    ['{"rules":[{"effect":"deny","eff\\u0065ct":"allow"}]}', 'effect'],
    [
      '{"rules":[{"effect":"deny","annotations":{"readOnlyHint":true,"readOnlyHint":false}}]}',
      'readOnlyHint',
    ],
  ])('a key that comes twice: %s', (text, key) => {
    expect(problemOf(text)).toBe(`it has the key "${key}" twice in one object`)
  })

  it('a policy of a size that would slow down every request', () => {
    const rules = Array.from({ length: 501 }, () => ({ effect: 'deny' }))
    expect(problemOf(JSON.stringify({ rules }))).toBe('rules must have at most 500 rules')
    const tools = Array.from({ length: 501 }, (_, place) => `t${place}`)
    expect(problemOf(withRule({ effect: 'deny', tools }))).toMatch(/tools must have at most 500/)
    expect(problemOf(' '.repeat(POLICY_LIMIT + 1))).toMatch(/at most 65536 characters/)
    expect(problemOf('['.repeat(60_000))).toMatch(/^it must be the word/)
  })
})

import { describe, expect, it } from 'vitest'
import type { Tool } from '../net/tools.ts'
import { createQuota, heightOf, linkOf, needsConsent, textOf, whyNotCallable } from './rules.ts'

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  title: name,
  description: '',
  inputSchema: {},
  annotations: {},
  ...more,
})

describe('a tool that an app wants to call', () => {
  const tools = [
    tool('draw'),
    tool('inner', { isForApps: false }),
    tool('erase', { annotations: { destructiveHint: true } }),
    tool('other'),
    tool('search_tools'),
  ]
  const owners = new Map([
    ['draw', 'pictures'],
    ['inner', 'pictures'],
    ['erase', 'pictures'],
    ['other', 'mail'],
    ['search_tools', ''],
  ])
  const why = (name: string, component = 'pictures') =>
    whyNotCallable(name, { tools, owners, component })

  it('has to be of the same component, and for apps', () => {
    expect(why('draw')).toBe('')
    expect(why('get_job')).toBe('')
    expect(why('inner')).toContain('not for apps')
    for (const name of ['other', 'search_tools', 'call_tool', 'run_code', 'constructor', '']) {
      expect(why(name), name).toContain('only the tools of its own component')
    }
  })

  it('is refused while the owner of the app is not known', () => {
    expect(why('draw', '')).not.toBe('')
    expect(why('search_tools', '')).not.toBe('')
  })

  it('needs consent unless it says that it only reads', () => {
    const said = (annotations: object) =>
      needsConsent('x', [tool('x', { annotations: annotations as Tool['annotations'] })])
    expect(said({ readOnlyHint: true })).toBe(false)
    for (const annotations of [
      {},
      { destructiveHint: false },
      { readOnlyHint: 'true' },
      { readOnlyHint: false },
      { readOnlyHint: true, destructiveHint: true },
    ]) {
      expect(said(annotations), JSON.stringify(annotations)).toBe(true)
    }
    expect(needsConsent('get_job', tools)).toBe(false)
    expect(needsConsent('cancel_job', tools)).toBe(true)
    expect(needsConsent('unknown', tools)).toBe(true)
  })
})

it.each([
  [300, 1000, 300],
  [300.2, 1000, 301],
  [1, 1000, 48],
  [1_000_000, 1000, 800],
  [1_000_000, 5000, 1000],
  [500, 200, 160],
])('a height of %d in a window of %d is %d', (wanted, windowHeight, expected) => {
  expect(heightOf(wanted, windowHeight)).toBe(expected)
})

it.each([0, -5, NaN, Infinity, '300', null, undefined])('%s is not a height', (wanted) => {
  expect(heightOf(wanted, 1000)).toBeUndefined()
})

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:http://localhost/1',
  '/relative',
  'https://bank.example@evil.example/',
  `https://a.example/${'x'.repeat(2000)}`,
  '',
])('"%s" is not offered to be opened', (url) => {
  expect(linkOf(url)).toBeUndefined()
})

it('an address of the web is', () => {
  expect(linkOf('https://a.example/b?c#d')?.href).toBe('https://a.example/b?c#d')
})

it('only text of content is passed on, and not too much', () => {
  expect(textOf([{ type: 'text', text: ' a ' }, { type: 'image', data: 'x' }, null])).toBe('a')
  expect(textOf({ type: 'text', text: 'b' })).toBe('b')
  expect(textOf([{ type: 'text', text: 'x'.repeat(9_000) }])).toHaveLength(4_000)
  expect(textOf(undefined)).toBe('')
})

it('a quota counts the last minute', () => {
  let time = 0
  const quota = createQuota(2, () => time)
  expect([quota(), quota(), quota()]).toEqual([true, true, false])
  time = 59_999
  expect(quota()).toBe(false)
  time = 60_000
  expect(quota()).toBe(true)
})

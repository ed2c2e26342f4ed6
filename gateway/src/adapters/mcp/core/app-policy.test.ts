import { expect, it } from 'vitest'
import { withBridge } from './app-policy.ts'

const content = (uri: string, connectDomains: unknown) => ({
  uri,
  text: '<p>',
  _meta: {
    ui: { csp: { connectDomains, resourceDomains: ['https://cdn.example'] }, prefersBorder: true },
  },
})
const settled = (...contents: object[]) =>
  ({ kind: 'result' as const, result: { contents } }) as never
const BRIDGE = () => 'wss://bridge.example:8001/live'

it('the bridge of an app is the one that the client finds, as an origin', () => {
  const read = withBridge(settled(content('ui://a', ['ftl:bridge', 'https://b.example'])), BRIDGE)
  expect(read).toEqual(
    settled(content('ui://a', ['wss://bridge.example:8001', 'https://b.example'])),
  )
})

it('without a bridge the entry is left out', () => {
  expect(withBridge(settled(content('ui://a', ['ftl:bridge'])), () => undefined)).toEqual(
    settled(content('ui://a', [])),
  )
})

it.each([
  content('note://a', ['ftl:bridge']),
  content('ui://a', ['https://b.example']),
  content('ui://a', 'ftl:bridge'),
  { uri: 'ui://a', text: '', _meta: { ui: null } },
  { uri: 'ui://a', text: '' },
])('what names no bridge is passed on as it is, and the setting is not read', (one) => {
  const answer = settled(one)
  const fail = () => {
    throw new Error('read')
  }
  expect(withBridge(answer, fail)).toBe(answer)
})

import { expect, test } from 'vitest'
import { activityPlace } from './activity-address.ts'

const url = 'http://127.0.0.1:3000'

function placeFor(route: string | undefined, variables: object, more: readonly string[] = []) {
  const components = new Map<string, object>([
    ['gateway', { variables }],
    ...more.map((id) => [id, { variables: {} }] as const),
  ])
  const manifest = { components, triggers: [{ route, target: { component: 'gateway' } }] }
  return activityPlace({ url, manifest } as never)
}

test('names the page where there is one, else what to type', () => {
  const variables = { tool_components: 'echo' }
  expect(placeFor('/...', variables, ['web'])).toBe(`${url}/#/activity`)
  expect(placeFor('/...', variables)).toBe(`curl -s ${url}/activity`)
})

test('says nothing of an application without a gateway at the root', () => {
  expect(placeFor('/...', {})).toBeUndefined()
  expect(placeFor(undefined, { tool_components: 'echo' })).toBeUndefined()
  expect(placeFor('/mcp', { tool_components: 'echo' })).toBeUndefined()
})

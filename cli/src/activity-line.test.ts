import { expect, test } from 'vitest'
import { activityLine } from './activity-line.ts'

const url = 'http://127.0.0.1:3000'

function lineFor(route: string | undefined, variables: object, more: readonly string[] = []) {
  const components = new Map<string, object>([
    ['gateway', { variables }],
    ...more.map((id) => [id, { variables: {} }] as const),
  ])
  const manifest = { components, triggers: [{ route, target: { component: 'gateway' } }] }
  return activityLine({ url, manifest } as never)
}

test('names the page where there is one, else what to type', () => {
  const variables = { tool_components: 'echo' }
  expect(lineFor('/...', variables, ['web'])).toBe(`Activity: ${url}/#/activity`)
  expect(lineFor('/...', variables)).toBe(`Activity: curl -s ${url}/activity`)
})

test('says nothing of an application without a gateway at the root', () => {
  expect(lineFor('/...', {})).toBeUndefined()
  expect(lineFor(undefined, { tool_components: 'echo' })).toBeUndefined()
  expect(lineFor('/mcp', { tool_components: 'echo' })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { checkSupported, publicRoutes, triggeredComponents } from './application.ts'
import { parseManifest } from './parse.ts'

const parse = (component: string) =>
  parseManifest(
    `spin_manifest_version = 2
[application]
name = "app"
[[trigger.http]]
route = "/a"
component = "used"
[[trigger.http]]
route = { private = true }
component = "used"
[component.used]
source = "used.wasm"
[component.unused]
source = "unused.wasm"
${component}
`,
    '/no/such/folder/spin.toml',
  )

test('only what a trigger names is loaded, and only public routes are shown', () => {
  const manifest = parse('')
  expect(triggeredComponents(manifest).map(({ id }) => id)).toEqual(['used'])
  expect(publicRoutes(manifest).map(({ id }) => id)).toEqual(['used'])
})

test('a route is shown with its description, and a static response by its trigger', () => {
  const manifest = parse(`description = "of no use"
[[trigger.http]]
route = "/..."
component = "used"
[[trigger.http]]
route = "/static/"
id = "teapot"
static_response = { status_code = 418 }
[[trigger.http]]
route = "/a"
component = "unused"`)
  expect(publicRoutes(manifest)).toEqual([
    { id: 'unused', path: '/a', wildcard: false, description: 'of no use' },
    { id: 'used', path: '/', wildcard: true, description: undefined },
    { id: 'teapot', path: '/static', wildcard: false, description: undefined },
  ])
})

test('a store that is not configured stops the start', () => {
  expect(() => checkSupported(parse('key_value_stores = ["default"]'))).not.toThrow()
  expect(() => checkSupported(parse('key_value_stores = ["cache"]'))).toThrow(
    'component.unused.key_value_stores: unknown store "cache"',
  )
  expect(() =>
    checkSupported(parse('key_value_stores = ["cache"]'), ['default', 'cache']),
  ).not.toThrow()
})

test('a mounted folder that is not there stops the start', () => {
  expect(() => checkSupported(parse('files = [{ source = "x", destination = "/x" }]'))).toThrow(
    'component.unused.files[0].source: "x" does not exist',
  )
})

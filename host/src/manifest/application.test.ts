import { expect, test } from 'vitest'
import { publicRoutes, triggeredComponents } from './application.ts'
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

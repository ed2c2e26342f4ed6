import { expect, test } from 'vitest'
import { parseManifest } from './parse.ts'
import { publicRoutes } from './application.ts'
import { exposeComponent, selectComponents, withEnvironment } from './select.ts'

const manifest = parseManifest(
  `spin_manifest_version = 2
[application]
name = "app"
[[trigger.http]]
route = "/a"
component = "a"
[[trigger.http]]
route = { private = true }
component = "b"
[[trigger.http]]
route = "/static"
static_response = {}
[component.a]
source = "a.wasm"
environment = { A = "1", B = "2" }
allowed_outbound_hosts = ["http://b.spin.internal", "https://example.com"]
[component.b]
source = "b.wasm"
[component.every]
source = "e.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
`,
  '/app/spin.toml',
)

test('only the selected components and their triggers remain', () => {
  const selected = selectComponents(manifest, ['b'])
  expect([...selected.components.keys()]).toEqual(['b'])
  expect(selected.triggers.map(({ id }) => id)).toEqual(['b-http-trigger'])
  expect([...selectComponents(manifest, ['a', 'b']).components.keys()]).toEqual(['a', 'b'])
})

test('a component whose calls would find nobody cannot be selected alone', () => {
  expect(() => selectComponents(manifest, ['a'])).toThrow('"a" calls "b"')
  expect(() => selectComponents(manifest, ['every', 'b'])).toThrow('"every" may call every other')
  expect(() => selectComponents(manifest, ['c'])).toThrow('no component "c" to select; there are a')
})

test('more environment variables win over those of the manifest', () => {
  const { components } = withEnvironment(manifest, { B: 'two', C: 'three' })
  expect(components.get('a')?.environment).toEqual({ A: '1', B: 'two', C: 'three' })
  expect(components.get('b')?.environment).toEqual({ B: 'two', C: 'three' })
  expect(manifest.components.get('b')?.environment).toEqual({})
})

test('a component can be exposed alone: every path is its own, and the others stay private', () => {
  const exposed = exposeComponent(manifest, 'b')
  expect(publicRoutes(exposed)).toMatchObject([{ id: 'b', path: '/', wildcard: true }])
  expect(exposed.triggers.map(({ route, target }) => [route, target])).toEqual([
    [undefined, { component: 'a' }],
    ['/...', { component: 'b' }],
  ])
  expect(() => exposeComponent(manifest, 'nobody')).toThrow('no component "nobody"')
})

import { expect, it } from 'vitest'
import { parseManifest } from './parse.ts'
import { reachOf, reachText } from './reach.ts'

const manifest = parseManifest(
  `spin_manifest_version = 2
[application]
name = "a"
[variables]
api_url = { default = "https://api.example" }
[component.gate]
source = "gate.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
[component.gate.variables]
tool_components = "plain,wide"
[component.plain]
source = "plain.wasm"
[component.wide]
source = "wide.wasm"
allowed_outbound_hosts = ["{{ api_url }}", "https://b.example:8443", "http://plain.spin.internal", "http://plain.spin.internal", "https://x.spin.internal.evil.example"]
key_value_stores = ["default", "cache"]
files = ["assets/*", { source = "/srv/secret-place", destination = "/data" }]
environment = { LEVEL = "high" }
[component.wide.variables]
api_url = "{{ api_url }}"
`,
  '/app/spin.toml',
)

const component = (id: string) => {
  const found = manifest.components.get(id)
  if (!found) throw new Error(id)
  return found
}

it('a component without rights reaches nothing', () => {
  expect(reachOf(component('plain'))).toEqual({})
})

it('names each right, without values and without places of the machine', () => {
  expect(reachOf(component('wide'))).toEqual({
    hosts: ['${api_url}', 'https://b.example:8443', 'https://x.spin.internal.evil.example'],
    components: ['plain'],
    stores: ['default', 'cache'],
    files: ['assets/*', '/data'],
    variables: ['api_url'],
    environment: ['LEVEL'],
  })
})

it('the text for a gateway has each component that is not a gateway', () => {
  expect(Object.keys(JSON.parse(reachText(manifest)) as object)).toEqual(['plain', 'wide'])
})

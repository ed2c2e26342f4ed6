import { parseManifest } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import { singleManifest } from './single.ts'

const HEAD = `spin_manifest_version = 2
[application]
name = "kitchen"
[variables]
tools = { default = "echo,images" }
url = { default = "https://one.example" }
[[trigger.http]]
route = "/..."
component = "gateway"
[component.gateway]
source = "out/gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.gateway.variables]
tool_components = "{{ tools }}"
[component.gateway.tool.ftl]
entry = "gateway.ts"
`

const tool = (id: string, more = '', ftl = '') => `[[trigger.http]]
route = { private = true }
component = "${id}"
[component.${id}]
source = "out/${id}.wasm"
${more}
[component.${id}.tool.ftl]
entry = "${id}.ts"
${ftl}
`

const IMAGES = `allowed_outbound_hosts = ["{{ url }}", "http://echo.spin.internal"]
key_value_stores = ["default", "pictures"]
files = [{ source = "config", destination = "/config" }]
variables = { target = "{{ url }}", limit = "1" }`
const ECHO = `variables = { target = "{{ url }}", limit = "2" }`

function single(text: string, ids: string[] = []) {
  const made = singleManifest(parseManifest(text, '/app/spin.toml'), ids)
  const manifest = parseManifest(made.text, '/app/spin-single.toml')
  return { ...made, manifest, component: manifest.components.get('gateway') }
}

it('a variable that has a value only where the application is deployed is one there, too', () => {
  const key = HEAD.replace('[variables]', '[variables]\nkey = { required = true, secret = true }')
  const { manifest } = single(key + tool('echo', ECHO) + tool('images', IMAGES))
  expect(manifest.variables.get('key')).toMatchObject({ required: true, secret: true })
})

describe('the manifest of one component', () => {
  const made = single(HEAD + tool('echo', ECHO) + tool('images', IMAGES))

  it('has the rights of all, and calls no other component', () => {
    expect([...made.manifest.components.keys()]).toEqual(['gateway'])
    expect(made.component).toMatchObject({
      source: 'out/kitchen-single.wasm',
      allowedOutboundHosts: ['{{ url }}'],
      keyValueStores: ['default', 'pictures'],
      files: [{ source: 'config', destination: '/images/config' }],
    })
    expect(made.manifest.triggers).toHaveLength(1)
  })

  it('gives a variable another name where two components mean different values', () => {
    expect(made.component?.variables).toEqual({
      tool_components: '{{ tools }}',
      target: '{{ url }}',
      limit: '2',
      images_limit: '1',
    })
    const { members } = made.component?.tool['ftl'] as { members: Record<string, object> }
    expect(members['images']).toEqual({
      entry: 'images.ts',
      variables: ['target', 'limit=images_limit'],
      stores: ['default', 'pictures'],
      files: ['/config=/images/config'],
      calls: ['echo'],
    })
    expect(members['echo']).toMatchObject({ variables: ['target', 'limit'] })
  })

  it('lists the tools that are in it', () => {
    const { manifest } = single(HEAD + tool('echo') + tool('images'), ['images'])
    expect(manifest.variables.get('tools')?.default).toBe('images')
  })
})

describe('one component is refused', () => {
  it.each<[string, string, RegExp]>([
    [
      'with a tool that ftl does not build',
      '[component.images]\nsource = "a.wasm"\n',
      /images has no entry/,
    ],
    [
      'with a limit of computing',
      tool('images', '', 'compute_limit_ms = 5'),
      /images has compute_limit_ms: the limit holds/,
    ],
    [
      'with the engine of an earlier version',
      tool('images', '', 'engine = "starlingmonkey"'),
      /\[component\.images\.tool\.ftl\] engine: the engine "starlingmonkey" was removed/,
    ],
    [
      'with a store that others share',
      tool('images', 'key_value_stores = ["s"]', 'shared_stores = ["s"]'),
      /images has shared_stores/,
    ],
    ['with a tool that is not there', '', /tool_components names "images"/],
    [
      'with a named segment of a route',
      tool('images').replace('{ private = true }', '"/a/:id"'),
      /the route \/a\/:id has a named segment/,
    ],
    [
      'with different environments',
      tool('images', 'environment = { A = "1" }').replace('out/images', 'out/i') +
        tool('more', 'environment = { A = "2" }').replace('{ private = true }', '"/more"'),
      /environment: A has another value/,
    ],
  ])('%s', (_, more, message) => {
    expect(() => single(HEAD + tool('echo') + more)).toThrow(message)
  })
})

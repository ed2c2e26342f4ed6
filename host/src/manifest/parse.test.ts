import { describe, expect, test } from 'vitest'
import { ManifestError } from './manifest.ts'
import { loadManifest, parseManifest } from './parse.ts'

const HEAD = `spin_manifest_version = 2
[application]
name = "app"
`
const COMPONENT = `[component.tool]
source = "tool.wasm"
`
const parse = (text: string) => parseManifest(text, '/app/spin.toml')

test('reads everything a component may have', () => {
  const manifest = parse(`${HEAD}
version = "1.0.0"
[application.tool.ours]
any = { thing = [1, 2] }
[variables]
key = { required = true, secret = true }
url = { default = "http://localhost" }
[[trigger.http]]
route = "/a/:id/..."
component = "tool"
[[trigger.http]]
route = { private = true }
component = "tool"
executor = { type = "http" }
[[trigger.http]]
route = "/static"
static_response = { status_code = 204, headers = { x = "y" } }
${COMPONENT}
description = "What it does"
environment = { A = "b" }
files = ["assets/**/*", { source = "config", destination = "/config" }]
exclude_files = ["**/*.secret"]
allowed_outbound_hosts = ["http://*.spin.internal", "{{ url }}", "https://example.com:8443"]
key_value_stores = ["default"]
[component.tool.variables]
k = "{{ key }}!"
[component.tool.build]
command = ["one", "two"]
workdir = "."
watch = ["src/**"]
[component.tool.tool.ftl]
entry = "main.ts"
`)
  expect(manifest.folder).toBe('/app')
  expect(manifest.tool).toEqual({ ours: { any: { thing: [1, 2] } } })
  expect(manifest.variables.get('key')).toEqual({
    default: undefined,
    required: true,
    secret: true,
  })
  expect(manifest.triggers).toEqual([
    { id: 'tool-http-trigger', route: '/a/:id/...', target: { component: 'tool' } },
    { id: 'http-trigger1', route: undefined, target: { component: 'tool' } },
    {
      id: 'http-trigger2',
      route: '/static',
      target: { response: { status: 204, headers: { x: 'y' }, body: '' } },
    },
  ])
  expect(manifest.components.get('tool')).toEqual({
    id: 'tool',
    description: 'What it does',
    source: 'tool.wasm',
    variables: { k: '{{ key }}!' },
    environment: { A: 'b' },
    files: [{ pattern: 'assets/**/*' }, { source: 'config', destination: '/config' }],
    excludeFiles: ['**/*.secret'],
    allowedOutboundHosts: ['http://*.spin.internal', '{{ url }}', 'https://example.com:8443'],
    keyValueStores: ['default'],
    build: { command: ['one', 'two'], workdir: '.', watch: ['src/**'] },
    tool: { ftl: { entry: 'main.ts' } },
  })
})

test('a component can be written into its trigger, under the name Spin gives it', () => {
  const manifest = parse(`${HEAD}
[[trigger.http]]
route = "/a"
component = { source = "a.wasm", key_value_stores = ["default"] }
[[trigger.http]]
id = "named"
route = "/b"
component = { source = "b.wasm" }
[[trigger.http]]
id = "Not Kebab"
route = "/c"
component = { source = "c.wasm" }
`)
  expect(manifest.triggers.map(({ target }) => target)).toEqual([
    { component: 'http-trigger1-component' },
    { component: 'named-component' },
    { component: 'inline-component1' },
  ])
  expect(manifest.components.get('http-trigger1-component')).toMatchObject({
    source: 'a.wasm',
    keyValueStores: ['default'],
  })
})

describe('a profile', () => {
  const text = `${HEAD}${COMPONENT}environment = { A = "a", B = "b" }
[component.tool.build]
command = "make"
workdir = "src"
[component.tool.profile.debug]
source = "debug.wasm"
environment = { B = "debug" }
build = { command = ["make debug", "strip"] }
[component.other]
source = "other.wasm"
`
  const of = (profile?: string) => parseManifest(text, '/app/spin.toml', { profile })

  test('changes source, environment and build command of the components that have it', () => {
    expect(of('debug').components.get('tool')).toMatchObject({
      source: 'debug.wasm',
      environment: { A: 'a', B: 'debug' },
      build: { command: ['make debug', 'strip'], workdir: 'src' },
    })
    expect(of('debug').components.get('other')?.source).toBe('other.wasm')
  })

  test('changes nothing when it is not chosen', () => {
    expect(of().components.get('tool')).toMatchObject({
      source: 'tool.wasm',
      environment: { A: 'a', B: 'b' },
      build: { command: ['make'] },
    })
  })

  test('that no component has is a mistake', () => {
    expect(() => of('release')).toThrow('no component has a profile "release"')
  })

  test('is checked also when it is not chosen', () => {
    expect(() => parse(`${HEAD}${COMPONENT}profile = { p = { sauce = "x" } }`)).toThrow(
      'component.tool.profile.p.sauce: is not a key',
    )
  })
})

describe('a wrong manifest is refused with file and key', () => {
  test.each([
    ['', 'spin_manifest_version: is missing'],
    ['spin_manifest_version = 1', 'spin_manifest_version: must be 2'],
    [`${HEAD}extra = 1`, 'application.extra: is not a key of a Spin manifest'],
    [`other = 1\n${HEAD}`, 'other: is not a key of a Spin manifest'],
    [
      `${HEAD}${COMPONENT}routes = 1`,
      'component.tool.routes: is not a key of a Spin manifest; known here: allowed_outbound_hosts, build, description, ' +
        'environment, exclude_files, files, key_value_stores, profile, source, tool, variables',
    ],
    [`${HEAD}${COMPONENT}key_value_store = 1`, 'did you mean "key_value_stores"?'],
    [`${HEAD}[component.My_Tool]\nsource = "x"`, 'component.My_Tool: is not a kebab-case id'],
    [`${HEAD}[component.tool]`, 'component.tool.source: is missing'],
    [
      `${HEAD}${COMPONENT}variables = { l = ["a"] }`,
      'component.tool.variables.l: must be a string',
    ],
    [`${HEAD}${COMPONENT}variables = { l = ["a"] }`, 'JSON string'],
    [`${HEAD}${COMPONENT}variables = { l = 5 }`, 'put it in quotes'],
    [`${HEAD}${COMPONENT}variables = { l = "{{ no }}" }`, 'uses the variable "no"'],
    [`${HEAD}${COMPONENT}variables = { l = "{{ no" }`, 'has "{{" without "}}"'],
    [`${HEAD}${COMPONENT}allowed_outbound_hosts = ["example.com"]`, 'does not contain a scheme'],
    [`${HEAD}${COMPONENT}allowed_outbound_hosts = ["http://a/b"]`, 'must not include a path'],
    [`${HEAD}${COMPONENT}files = ["../x"]`, 'component.tool.files[0]: must stay inside'],
    [`${HEAD}${COMPONENT}files = [{ source = "a", destination = "b" }]`, 'files[0].destination'],
    [`${HEAD}[variables]\nx = {}`, 'variables.x: needs either required = true or a default'],
    [`${HEAD}[variables]\nx = { default = 5 }`, 'variables.x.default: must be a string'],
    [`${HEAD}[variables]\nX = { default = "5" }`, 'variables.X: is not a lower_snake_case name'],
    [
      `${HEAD}[[trigger.http]]\ncomponent = "tool"\n${COMPONENT}`,
      'trigger.http[0].route: is missing',
    ],
    [
      `${HEAD}[[trigger.http]]\nroute = { private = false }\ncomponent = "tool"\n${COMPONENT}`,
      'must be a path or { private = true }',
    ],
    [`${HEAD}[[trigger.http]]\nroute = "/"\ncomponent = "no"`, 'there is no [component.no]'],
    [`${HEAD}[[trigger.http]]\nroute = "/"`, 'exactly one of component and static_response'],
    [
      `${HEAD}[[trigger.http]]\nroute = "/.../a"\ncomponent = "tool"\n${COMPONENT}`,
      'not at its end',
    ],
    [`${HEAD}[application.trigger.http]\nbase = "/api"`, 'application.trigger.http.base'],
    [`${HEAD}[[trigger.redis]]\nchannel = "x"`, 'trigger.redis: is not a trigger of this host'],
  ])('%#', (text, message) => {
    const error = (() => {
      try {
        return parse(text)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(ManifestError)
    expect(String(error)).toContain('/app/spin.toml')
    expect(String(error)).toContain(message)
  })

  test('with line and column where it is not TOML', () => {
    expect(() => parse('a = \nb')).toThrow(/^\/app\/spin\.toml:1:\d+: /)
  })

  test('or does not exist', async () => {
    await expect(loadManifest('/no/such/spin.toml')).rejects.toThrow('does not exist')
  })
})

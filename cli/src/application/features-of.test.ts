import { parseManifest } from 'ftl-host'
import { expect, test } from 'vitest'
import { featuresOf } from './features-of.ts'

const HEAD = `spin_manifest_version = 2
[application]
name = "app"
[variables]
runner = { default = "python" }
must = { required = true }
`
const part = (id: string, more = '') => `[component.${id}]
source = "${id}.wasm"
${more}`
const gateway = (more = '') =>
  part('gateway', `[component.gateway.variables]\ntool_components = "echo"\n${more}`)

function without(...parts: string[]): readonly string[] {
  const manifest = parseManifest([HEAD, ...parts].join('\n'), 'spin.toml')
  const component = manifest.components.get('gateway')
  return (component && featuresOf(manifest, component).without) ?? []
}

test.each([
  ['has nothing that runs them', [gateway()]],
  ['has another component only', [gateway(), part('echo')]],
  ['has not the one that the variable names', [gateway('code_component = "other"'), part('code')]],
  ['sets the variable when it is served', [gateway('code_component = "{{ must }}"')]],
])('a gateway is built without programs if the application %s', (_, parts) => {
  expect(without(...parts)).toEqual([
    'programs',
    'introspection',
    'dpop',
    'callerToken',
    'skills',
    'instructions',
    'uploads',
    'card',
  ])
})

test.each([
  ['the component code', [gateway(), part('code')]],
  ['the one that the variable names', [gateway('code_component = "js"'), part('js')]],
  [
    'the one that it names by default',
    [gateway('code_component = "{{ runner }}"'), part('python')],
  ],
  [
    'it as a member of another',
    [gateway(), part('all', '[component.all.tool.ftl.members]\ncode = "code.ts"')],
  ],
])('and with them if it has %s', (_, parts) => {
  expect(without(...parts)).toEqual([
    'introspection',
    'dpop',
    'callerToken',
    'skills',
    'instructions',
    'uploads',
    'card',
  ])
})

test('a gateway is built with introspection if the manifest passes its variable on', () => {
  expect(without(gateway('auth_introspection = ""'), part('code'))).toEqual([
    'dpop',
    'callerToken',
    'skills',
    'instructions',
    'uploads',
    'card',
  ])
})

test('a gateway is built with DPoP if the manifest passes its variable on', () => {
  expect(without(gateway('auth_dpop = "true"'), part('code'))).toEqual([
    'introspection',
    'callerToken',
    'skills',
    'instructions',
    'uploads',
    'card',
  ])
})

test('a gateway is built with the tokens of callers if it has the variable for them', () => {
  const named = gateway('caller_token_components = "remote"')
  expect(without(named, part('code'))).not.toContain('callerToken')
})

test('a gateway is built with a server card if it has the variable for it', () => {
  const named = gateway('server_card = "com.example/a"')
  expect(without(named, part('code'))).toEqual([
    'introspection',
    'dpop',
    'callerToken',
    'skills',
    'instructions',
    'uploads',
  ])
})

test.each([
  ['names their folders', 'skills = ["skills"]'],
  ['says that it has some', 'skills = true'],
])('a gateway is built with skills if a component %s', (_, key) => {
  const skilled = part('refunds', `[component.refunds.tool.ftl]\n${key}`)
  expect(without(gateway(), skilled)).toEqual([
    'programs',
    'introspection',
    'dpop',
    'callerToken',
    'instructions',
    'uploads',
    'card',
  ])
})

test.each(['remote_servers', 'remote_remote_servers'])(
  'a gateway is built with the instructions of other servers if a component has the variable %s',
  (name) => {
    const remote = part('remote', `[component.remote.variables]\n${name} = ""`)
    expect(without(gateway(), remote)).not.toContain('instructions')
  },
)

test('a component that is no gateway has no features', () => {
  expect(without(part('gateway'))).toEqual([])
})

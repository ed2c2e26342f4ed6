import { expect, test } from 'vitest'
import { parseManifest } from 'ftl-host'
import { separateStores } from './separate-stores.ts'

const HEAD = 'spin_manifest_version = 2\n[application]\nname = "a"\n'

function separated(text: string) {
  const { manifest, runtimeConfig } = separateStores(text, parseManifest(text, '/app/spin.toml'))
  const { components } = parseManifest(manifest, '/app/spin-separate.toml')
  return {
    components,
    stores: [...runtimeConfig.matchAll(/^\[key_value_store\.(.*)\]$/gm)].map(([, label]) => label),
  }
}

const component = (id: string, lines = '') =>
  `[component.${id}]\nsource = "${id}.wasm"\nkey_value_stores = ["default"]\n${lines}\n`

test('each component has labels of its own, and knows which', () => {
  const { components, stores } = separated(
    `${HEAD}${component('mcp-gateway', '[component.mcp-gateway.variables]\na = "b"')}${component('echo')}`,
  )
  const gateway = components.get('mcp-gateway')
  expect(gateway?.keyValueStores).toEqual(['mcp-gateway-default'])
  expect(gateway?.variables).toEqual({ a: 'b', own_store: 'mcp-gateway-default' })
  expect(components.get('echo')?.variables).toEqual({ own_store: 'echo-default' })
  expect(stores).toEqual(['mcp-gateway-default', 'echo-default'])
})

test('what components share stays shared', () => {
  const shares = (id: string) => `[component.${id}.tool.ftl]\nshared_stores = ["default"]`
  const { components, stores } = separated(
    HEAD + component('a', shares('a')) + component('b', shares('b')),
  )
  expect(components.get('a')?.keyValueStores).toEqual(['default'])
  expect(components.get('a')?.variables).toEqual({})
  expect(stores).toEqual(['default'])
})

test('two components never get the same label', () => {
  const text = HEAD + component('a-b') + component('a').replace('"default"', '"b-default"')
  expect(() => separateStores(text, parseManifest(text, '/app/spin.toml'))).toThrow('rename one')
})

test('a gateway gets what the components may reach, as text that Spin does not change', () => {
  const gateway =
    '[component.gate]\nsource = "g.wasm"\n[component.gate.variables]\ntool_components = "a"\n'
  const hosts = '[variables]\nat = { default = "" }\n'
  const tool = `${component('a')}allowed_outbound_hosts = ["{{ at }}"]\n`
  const { components } = separated(HEAD + hosts + gateway + tool)
  const reach = components.get('gate')?.variables['tool_reach'] ?? ''
  expect(JSON.parse(reach)).toEqual({ a: { hosts: ['${at}'], stores: ['default'] } })
})

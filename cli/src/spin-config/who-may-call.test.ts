import { parseManifest } from 'ftl-host'
import { expect, test } from 'vitest'
import { warningOf, whoMayCall } from './who-may-call.ts'

const HEAD = 'spin_manifest_version = 2\n[application]\nname = "a"\n'

function calls(hosts: Record<string, string[]>) {
  const components = Object.entries(hosts).map(
    ([id, list]) =>
      `[component.${id}]\nsource = "${id}.wasm"\nallowed_outbound_hosts = ${JSON.stringify(list)}\n`,
  )
  const gateway = `[component.gate.variables]\ntool_components = "one,two"\n`
  const text = [HEAD, ...components, gateway].join('')
  return whoMayCall(parseManifest(text, '/app/spin.toml'))
}

const gate = ['http://*.spin.internal']

test.each([
  ['every component', 'http://*.spin.internal'],
  ['one component by name', 'http://two.spin.internal'],
  ['every host', '*://*:*'],
  ['every host by http', 'http://*:80'],
])('a component that may call %s', (_, host) => {
  const found = calls({ gate, one: [host], two: [] })
  expect(found).toEqual([{ component: 'one', callees: ['two'] }])
  expect(warningOf(found).join('\n')).toContain('one calls two')
})

test.each([
  ['the gateway', 'http://gate.spin.internal'],
  ['itself', 'http://one.spin.internal'],
  ['a host of the internet', 'https://api.example'],
  ['a wildcard of the internet', 'https://*.example'],
])('a component that may call only %s is not named', (_, host) => {
  expect(calls({ gate, one: [host], two: [] })).toEqual([])
})

test('nothing is printed where no component may call another', () => {
  expect(warningOf(calls({ gate, one: [], two: [] }))).toEqual([])
})

import { parseManifest } from 'ftl-host'
import { expect, it } from 'vitest'
import { findPlace } from './find-place.ts'

const table = (id: string, more: string) => `[[trigger.http]]
route = { private = true }
component = "${id}"
[component.${id}]
source = "${id}.wasm"
${more}
`
const members = (id: string, ...names: string[]) =>
  names.map((name) => `[component.${id}.tool.ftl.members.${name}]\nentry = "x.ts"`).join('\n')

const manifest = parseManifest(
  `spin_manifest_version = 2
[application]
name = "places"
${table('alone', '')}${table('basics', members('basics', 'echo', 'calculator'))}${table(
    'gateway',
    `variables = { tool_components = "inner" }\n${members('gateway', 'gateway-own', 'inner')}`,
  )}`,
  '/app/spin.toml',
)

it.each([
  ['alone', 'alone'],
  ['echo', 'basics'],
  ['calculator', 'basics'],
])('%s is in %s', (name, place) => expect(findPlace(manifest, name)).toBe(place))

it.each([
  ['basics', 'basics consists of echo, calculator: name one of them'],
  ['inner', 'inner is in the component of the gateway'],
  ['nothing', 'no component "nothing"; it has alone, basics, echo, calculator, gateway'],
])('%s is refused', (name, message) => expect(() => findPlace(manifest, name)).toThrow(message))

import { expect, test } from 'vitest'
import { parseManifest } from '../manifest/parse.ts'
import { checkSupported } from './application-settings.ts'

const parse = (component: string) =>
  parseManifest(
    `spin_manifest_version = 2
[application]
name = "app"
[component.unused]
source = "unused.wasm"
${component}
`,
    '/no/such/folder/spin.toml',
  )

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

import { expect, test } from 'vitest'
import { parseManifest } from '../manifest/parse.ts'
import { checkSharedStores, ownStoreOf, storeName, viewOf } from './store-view.ts'

function manifest(component: string) {
  const text = `spin_manifest_version = 2
[application]
name = "a"
[component.echo]
source = "echo.wasm"
${component}`
  return parseManifest(text, '/app/spin.toml')
}

function echo(lines: string) {
  const component = manifest(lines).components.get('echo')
  if (!component) throw new Error('no component')
  return component
}

const nameOf = (lines: string, label: string) => {
  const view = viewOf(echo(lines), label)
  return view && storeName(view)
}

const SHARED = `key_value_stores = ["default", "mine"]
[component.echo.tool.ftl]
shared_stores = ["default"]`

test.each([
  ['key_value_stores = ["default"]', 'default', 'echo.default'],
  ['key_value_stores = ["default"]', 'echo.default', 'echo.default'],
  ['key_value_stores = ["echo.default"]', 'echo.default', 'echo.default'],
  ['key_value_stores = ["echo.default"]', 'default', undefined],
  ['key_value_stores = ["default"]', 'other.default', undefined],
  ['key_value_stores = ["other.default"]', 'other.default', 'echo.other.default'],
  ['key_value_stores = []', 'default', undefined],
  [SHARED, 'default', 'default'],
  [SHARED, 'echo.default', 'echo.default'],
  [SHARED, 'mine', 'echo.mine'],
])('with %s a component that opens %s gets %s', (lines, label, name) => {
  expect(nameOf(lines, label)).toBe(name)
})

test('a component is told the name of a store that nobody else can open', () => {
  expect(ownStoreOf(echo('key_value_stores = ["default"]'))).toBe('echo.default')
  expect(ownStoreOf(echo(SHARED))).toBeUndefined()
  expect(ownStoreOf(echo(''))).toBeUndefined()
})

test.each([
  ['shared_stores = "default"', 'must be a list'],
  ['shared_stores = ["other"]', '"other" is not in key_value_stores'],
  ['shared_stores = ["gateway.default"]', 'must not contain a dot'],
])('%s is refused', (line, problem) => {
  const lines = `key_value_stores = ["default", "gateway.default"]\n[component.echo.tool.ftl]\n${line}`
  expect(() => checkSharedStores(manifest(lines))).toThrow(problem)
})

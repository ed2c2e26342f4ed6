import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Variables } from '../variables/variables.ts'
import { type ApplicationOptions, readApplication } from './application-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'ftl-application-'))
const write = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const manifest = write(
  'spin.toml',
  `spin_manifest_version = 2
[application]
name = "app"
[variables]
token = { required = true }
other = { default = "of the manifest" }
unused = { default = "of no component" }
[component.c]
source = "c.wasm"
key_value_stores = ["default", "cache"]
[component.c.variables]
token = "{{ token }}"
other = "{{ other }}"
`,
)
const runtimeConfigFile = write(
  'runtime.toml',
  `state_dir = "/state"
[key_value_store.cache]
type = "spin"
path = "cache.db"
[[variables_provider]]
type = "static"
values = { token = "of the file" }
[[variables_provider]]
type = "env"
prefix = "APP"
`,
)
const read = async (options: Partial<ApplicationOptions> = {}) => {
  const settings = await readApplication({ manifest, runtimeConfigFile, env: {}, ...options })
  // A thread gets a copy.
  const { manifest: copy, variables } = structuredClone(settings)
  const found = new Variables(copy, { overrides: variables, folders: [] })
  return { ...settings, value: (name: string) => found.get('c', name) }
}

test('a variable comes from the caller, the file, the environment, the manifest, in this order', async () => {
  const env = { SPIN_VARIABLE_TOKEN: 'of Spin', SPIN_VARIABLE_OTHER: 'of Spin', HOME: '/root' }
  expect((await read({ variables: { token: 'given' }, env })).value('token')).toBe('given')
  expect((await read({ env })).value('token')).toBe('of the file')
  expect((await read({ env: { ...env, APP_OTHER: 'of APP' } })).value('other')).toBe('of APP')
  expect((await read({ env })).value('other')).toBe('of Spin')
  expect((await read()).value('other')).toBe('of the manifest')
})

test('a thread of guests gets the values that components use, and nothing else of the environment', async () => {
  const env = {
    SPIN_VARIABLE_TOKEN: '1',
    SPIN_VARIABLE_UNUSED: 'secret',
    APP_X: '2',
    HOME: '/root',
  }
  const { variables } = await read({ env })
  expect(variables).toEqual({ token: 'of the file', other: 'of the manifest' })
})

test('the state lies where the caller says, else where the file says, else beside the manifest', async () => {
  expect((await read({ stateDir: '' })).state.stateDir).toBe('')
  expect((await read()).state).toMatchObject({
    stateDir: '/state',
    stores: { cache: { type: 'spin', file: join(folder, 'cache.db') } },
  })
  const plain = write('plain.toml', '[key_value_store.cache]\ntype = "spin"')
  expect((await read({ runtimeConfigFile: plain, variables: { token: '' } })).state.stateDir).toBe(
    join(folder, '.spin'),
  )
})

test('without a runtime configuration other stores and required variables are missing', async () => {
  const options = { runtimeConfigFile: undefined }
  await expect(read({ ...options, variables: { token: '' } })).rejects.toThrow('store "cache"')
  const empty = write('empty.toml', '[key_value_store.cache]\ntype = "spin"')
  await expect(read({ runtimeConfigFile: empty })).rejects.toThrow('"token" (SPIN_VARIABLE_TOKEN)')
})

test('the caller can give every component more of an environment, or only some components', async () => {
  const { manifest: more } = await read({ environment: { A: 'b' }, components: ['c'] })
  expect(more.components.get('c')?.environment).toEqual({ A: 'b' })
  await expect(read({ components: ['d'] })).rejects.toThrow('no component "d"')
})

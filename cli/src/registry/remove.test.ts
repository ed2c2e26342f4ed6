import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseManifest } from 'ftl-host'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeCommand } from '../commands/add.ts'
import { editManifest } from '../new/edit-manifest.ts'
import { removeComponent } from './candidate.ts'

const BEFORE = `spin_manifest_version = 2

[application]
name = "app"

[variables]
tool_components = { default = "greet" }

[[trigger.http]]
route = "/..."
component = "mcp-gateway"

[component.mcp-gateway]
source = "dist/mcp-gateway.wasm"

[component.mcp-gateway.variables]
tool_components = "{{ tool_components }}"

[[trigger.http]]
route = { private = true }
component = "greet"

[component.greet]
source = "dist/greet.wasm"
`

/** As ftl new adds it, with the comments of a template. */
function withWeather(): string {
  const component = {
    id: 'weather',
    source: 'dist/weather.wasm',
    allowedOutboundHosts: ['https://api.example.com'],
    keyValueStores: ['default'],
    files: [],
    variables: {},
    build: { command: 'npx ftl build', watch: ['tools/weather/src/**/*.ts'] },
    entry: 'tools/weather/src/main.ts',
    hints: ['What the template says.'],
  }
  return editManifest(BEFORE, parseManifest(BEFORE, 'spin.toml'), { component, variables: {} }).text
}

let folder: string
const manifest = () => readFileSync(join(folder, 'spin.toml'), 'utf8')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-remove-'))
  writeFileSync(join(folder, 'spin.toml'), withWeather())
  mkdirSync(join(folder, 'tools/weather'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('what ftl new has added is taken out without a trace, and the folder of its sources is named', async () => {
  expect(manifest()).not.toBe(BEFORE)
  expect(await removeComponent(folder, 'weather')).toBe('tools/weather')
  expect(manifest()).toBe(BEFORE)
})

it('also after its folder was deleted', async () => {
  rmSync(join(folder, 'tools'), { recursive: true })
  expect(await removeComponent(folder, 'weather')).toBeUndefined()
  expect(manifest()).toBe(BEFORE)
})

it('the gateway, and what is not there, are refused', async () => {
  await expect(removeComponent(folder, 'mcp-gateway')).rejects.toThrow('is the gateway')
  await expect(removeComponent(folder, 'wether')).rejects.toThrow(
    'no component "wether"; it has mcp-gateway, greet, weather',
  )
  expect(manifest()).toBe(withWeather())
})

it.each(['weather-pro,weather', 'weather,weather-pro', 'weather-pro, weather , greet'])(
  'only the component itself leaves the list of tools: %s',
  async (list) => {
    const text = withWeather()
      .replace('default = "greet,weather"', `default = "${list}"`)
      .replace(/$/, component('weather-pro'))
    writeFileSync(join(folder, 'spin.toml'), text)
    await removeComponent(folder, 'weather')
    const names = /tool_components = \{ default = "(.*)" \}/.exec(manifest())?.[1]?.split(',')
    expect(names?.map((name) => name.trim())).toEqual(
      list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== 'weather'),
    )
  },
)

it('comments above what follows stay', async () => {
  const text = `${withWeather()}\n# Ask Ann\n# before you change it.\n${component('pay')}`
  writeFileSync(join(folder, 'spin.toml'), text)
  await removeComponent(folder, 'weather')
  expect(manifest()).toBe(`${BEFORE}\n# Ask Ann\n# before you change it.\n${component('pay')}`)
})

it('lines inside a multi-line string are not removed as a component', async () => {
  const text = withWeather().replace(
    '[variables]\n',
    '[variables]\nhelp = { default = """\n[component.weather]\nsource\n""" }\n',
  )
  writeFileSync(join(folder, 'spin.toml'), text)
  await expect(removeComponent(folder, 'weather')).rejects.toThrow('cannot be edited')
  expect(manifest()).toBe(text)
})

it('the file that spin.toml links to is changed, and keeps its rights', async () => {
  const elsewhere = join(folder, 'shared.toml')
  writeFileSync(elsewhere, withWeather(), { mode: 0o600 })
  rmSync(join(folder, 'spin.toml'))
  symlinkSync(elsewhere, join(folder, 'spin.toml'))
  await removeComponent(folder, 'weather')
  expect(readFileSync(elsewhere, 'utf8')).toBe(BEFORE)
  expect(lstatSync(join(folder, 'spin.toml')).isSymbolicLink()).toBe(true)
  expect(statSync(elsewhere).mode & 0o777).toBe(0o600)
})

it('a manifest of another name is refused, instead of the spin.toml beside it', async () => {
  const other = join(folder, 'other.toml')
  writeFileSync(other, withWeather())
  const removed = removeCommand().parseAsync(['weather', '--from', other], { from: 'user' })
  await expect(removed).rejects.toThrow('needs a spin.toml')
  expect(manifest()).toBe(withWeather())
})

function component(id: string): string {
  return `[[trigger.http]]
route = { private = true }
component = "${id}"

[component.${id}]
source = "dist/${id}.wasm"
`
}

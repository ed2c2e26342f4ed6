// An import is a link-time demand: one outside the world makes a component unloadable on some platform.
import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { loadManifest } from 'ftl-host'
import { MANIFESTS } from '../support/manifests.ts'
import { componentInterfaces } from '../support/component-interfaces.ts'

const IMPORTS = [
  /^fermyon:spin\/(key-value|variables)@2\.0\.0$/,
  /^wasi:http\/(types|outgoing-handler)@0\.2\.10$/,
  /^wasi:io\/(poll|streams|error)@0\.2\.10$/,
  /^wasi:clocks\/(monotonic-clock|wall-clock)@0\.2\.10$/,
  /^wasi:random\/random@0\.2\.10$/,
  /^wasi:filesystem\/(types|preopens)@0\.2\.10$/,
  // What the engine and its preview1 adapter need; every platform that runs wasi:http provides it.
  /^wasi:cli\/(environment|exit|stdin|stdout|stderr|terminal-(input|output|stdin|stdout|stderr))@0\.2\.10$/,
]

const manifests = await Promise.all(Object.values(MANIFESTS).map((file) => loadManifest(file)))
const root = manifests[0]?.folder ?? ''
const components = new Set(
  manifests.flatMap(({ folder, components }) =>
    [...components.values()].flatMap(({ source }) =>
      typeof source === 'string' ? [relative(root, resolve(folder, source))] : [],
    ),
  ),
)

describe('built components', () => {
  it('are those of the application and of the fixtures', () => {
    for (const name of ['mcp-gateway', 'echo', 'calculator', 'generate-image']) {
      expect(components).toContain(`dist/${name}.wasm`)
    }
  })

  it.each([...components])('%s imports nothing outside the world', async (name) => {
    const { imports, exports } = await componentInterfaces(await readFile(resolve(root, name)))
    const outside = imports.filter((one) => !IMPORTS.some((pattern) => pattern.test(one)))
    expect(outside).toEqual([])
    expect(imports).toContain('wasi:http/types@0.2.10')
    expect(exports).toEqual(['wasi:http/incoming-handler@0.2.10'])
  })
})

/** facts of the manifest's schema: every table of version 2 refuses a key it does not know. */
const KEYS: Record<string, RegExp> = {
  top: /^(spin_manifest_version|application|variables|trigger|component)$/,
  application: /^(name|version|description|authors|targets|trigger|tool)$/,
  variable: /^(description|required|default|secret)$/,
  trigger: /^(id|route|component|static_response|executor|components|dependencies)$/,
  component:
    /^(source|description|variables|environment|files|exclude_files|allowed_outbound_hosts|allowed_http_hosts|key_value_stores|sqlite_databases|ai_models|targets|build|tool|dependencies|dependencies_inherit_configuration|profile)$/,
  build: /^(command|workdir|watch)$/,
}

type Table = Record<string, unknown>
const tables = (value: unknown) => Object.values((value ?? {}) as Record<string, Table>)

describe('spin.toml', () => {
  it('has only keys that Spin knows', async () => {
    const manifest = parse(await readFile(MANIFESTS.application, 'utf8')) as Table
    const check = (kind: string, table: unknown) => {
      for (const key of Object.keys(table ?? {})) expect(key).toMatch(KEYS[kind] ?? /^$/)
    }
    check('top', manifest)
    check('application', manifest['application'])
    for (const variable of tables(manifest['variables'])) check('variable', variable)
    expect(Object.keys(manifest['trigger'] as Table)).toEqual(['http'])
    for (const trigger of (manifest['trigger'] as { http: Table[] }).http) check('trigger', trigger)
    for (const component of tables(manifest['component'])) {
      check('component', component)
      check('build', component['build'])
    }
  })

  it('builds every component by the command that spin build runs', async () => {
    const { components: all } = await loadManifest(MANIFESTS.application)
    const manifest = parse(await readFile(MANIFESTS.application, 'utf8')) as {
      component: Record<string, { build: { command: string } }>
    }
    for (const id of all.keys()) expect(manifest.component[id]?.build.command).toBe('npx ftl build')
  })
})

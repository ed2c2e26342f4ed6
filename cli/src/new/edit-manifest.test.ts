import type { ComponentSpec } from 'create-ftl-tool'
import { parseManifest } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import { type Addition, editManifest } from './edit-manifest.ts'
import { verifyEdit } from './verify-edit.ts'

const component: ComponentSpec = {
  id: 'new-tool',
  source: 'dist/new-tool.wasm',
  allowedOutboundHosts: ['{{ service_url }}'],
  keyValueStores: ['default'],
  files: [{ source: 'tools/new-tool/config', destination: '/config' }],
  variables: { service_url: '{{ service_url }}' },
  build: { command: 'npx ftl build', watch: ['tools/new-tool/src/**/*.ts'] },
  entry: 'tools/new-tool/src/main.ts',
  hints: ['a hint'],
}
const addition: Addition = {
  component,
  variables: { service_url: { default: 'http://127.0.0.1:1', description: 'Where "it" is' } },
}

const HEAD = 'spin_manifest_version = 2\n\n[application]\nname = "app"\n\n'
const GATEWAY =
  '[[trigger.http]]\nroute = "/..."\ncomponent = "gateway"\n\n[component.gateway]\nsource = "g.wasm"\n'
const BY_VARIABLE = `${GATEWAY}\n[component.gateway.variables]\ntool_components = "{{ tool_components }}"\n`

/** @throws what `ftl new` would say. */
function edit(text: string) {
  const manifest = parseManifest(text, '/app/spin.toml')
  const edited = editManifest(text, manifest, addition)
  verifyEdit(manifest, edited.text, addition)
  return { ...edited, after: parseManifest(edited.text, '/app/spin.toml') }
}

const listOf = (text: string) => {
  const { after } = edit(text)
  return (
    after.variables.get('tool_components')?.default ??
    after.components.get('gateway')?.variables['tool_components']
  )
}

/** What is left when what was added is taken away. */
function withoutAdded(before: string, after: string): string {
  let rest = ''
  let from = 0
  for (const character of after) {
    if (character === before[from]) {
      rest += character
      from++
    }
  }
  return rest
}

describe('the list of tools', () => {
  it.each([
    ['a comma list', 'tool_components = { default = "a,b" }', 'a,b,new-tool'],
    ['a comma list with spaces', 'tool_components = { default = "a, b" }', 'a, b, new-tool'],
    ['an empty list', 'tool_components = { default = "" }', 'new-tool'],
    ['a comma at the end', 'tool_components = { default = "a," }', 'a,new-tool'],
    ['a literal string', "tool_components = { default = 'a' }", 'a,new-tool'],
    ['a long string', 'tool_components = { default = """a,\\\n  b""" }', 'a,b,new-tool'],
    [
      'a description before it',
      'tool_components = { description = "default = \\"x\\"", default = "a" }',
      'a,new-tool',
    ],
    ['dotted keys', 'tool_components.default = "a"', 'a,new-tool'],
    ['a JSON array', `tool_components = { default = '["a","b"]' }`, '["a","b","new-tool"]'],
    ['an airy array', `tool_components = { default = '[ "a", "b" ]' }`, '[ "a", "b", "new-tool" ]'],
    ['an escaped array', 'tool_components = { default = "[\\"a\\"]" }', '["a","new-tool"]'],
    ['an empty array', `tool_components = { default = '[]' }`, '["new-tool"]'],
  ])('in a variable: %s', (_, line, list) => {
    expect(listOf(`${HEAD}[variables]\n${line}\n\n${BY_VARIABLE}`)).toBe(list)
  })

  it('in a variable that is a table of its own', () => {
    const text = `${HEAD}[variables.tool_components]\ndefault = "a"\n\n${BY_VARIABLE}`
    expect(listOf(text)).toBe('a,new-tool')
  })

  it.each([
    ['a comma list', '"a"', 'a,new-tool'],
    ['a JSON array', `'["a"]'`, '["a","new-tool"]'],
    ['an expression in it', '"a,{{ more }}"', 'a,{{ more }},new-tool'],
  ])('written at the gateway: %s', (_, value, list) => {
    const variables = '[variables]\nmore = { default = "b" }\n\n'
    const own = `\n[component.gateway.variables]\ntool_components = ${value}\n`
    expect(listOf(HEAD + variables + GATEWAY + own)).toBe(list)
  })

  it('in variables of the gateway that stand in one line', () => {
    const text = `${HEAD}${GATEWAY}variables = { tool_components = "a" }\n`
    expect(listOf(text)).toBe('a,new-tool')
  })

  it('stays as it is where it names the component already', () => {
    const text = `${HEAD}[variables]\ntool_components = { default = "new-tool,a" }\n\n${BY_VARIABLE}`
    expect(listOf(text)).toBe('new-tool,a')
  })
})

describe('everything else', () => {
  const text = `# mine\r\n${HEAD}[variables] # all\ntool_components = { default = "a" } # the list\n\n# gateway\n${BY_VARIABLE}\n# the end`

  it.each([
    ['with LF', text.replaceAll('\r\n', '\n')],
    ['with CRLF', text.replaceAll(/\r?\n/g, '\r\n')],
    ['without a line end at the end', text.replaceAll('\r\n', '\n')],
    ['with empty lines at the end', `${text.replaceAll('\r\n', '\n')}\n\n\n`],
  ])('keeps every byte in its order %s', (_, before) => {
    expect(withoutAdded(before, edit(before).text)).toBe(before)
  })

  it('has the line ends of the file', () => {
    const { text: after } = edit(text.replaceAll(/\r?\n/g, '\r\n'))
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it('puts a variable into [variables], and takes one that is there', () => {
    const { text: after } = edit(text.replaceAll('\r\n', '\n'))
    expect(after).toMatch(/\[variables\] # all\ntool_components = .*\nservice_url = \{/)
    const own = text.replace('# the list', '# the list\nservice_url = { required = true }')
    expect(edit(own).after.variables.get('service_url')).toEqual({
      default: undefined,
      required: true,
      secret: false,
    })
  })

  it('writes a variable as a table where [variables] does not stand', () => {
    const { after } = edit(`${HEAD}[variables.tool_components]\ndefault = "a"\n\n${BY_VARIABLE}`)
    expect(after.variables.get('service_url')?.default).toBe('http://127.0.0.1:1')
  })

  it('adds a private route and the whole component', () => {
    const { after } = edit(text)
    expect(after.triggers.at(-1)).toMatchObject({
      route: undefined,
      target: { component: 'new-tool' },
    })
    expect(after.components.get('new-tool')).toMatchObject({
      source: 'dist/new-tool.wasm',
      allowedOutboundHosts: ['{{ service_url }}'],
      files: [{ source: 'tools/new-tool/config', destination: '/config' }],
      tool: { ftl: { entry: 'tools/new-tool/src/main.ts' } },
    })
  })
})

describe('what cannot be extended without a guess', () => {
  const required = '[variables]\ntool_components = { required = true }\n\n'
  const broken = `[variables]\ntool_components = { default = '["a"' }\n\n`
  const list = '[variables]\ntool_components = { default = "a" }\n\n'
  const second = BY_VARIABLE.replaceAll('gateway', 'other').replace('/...', '/other')
  it.each([
    ['no gateway', HEAD + GATEWAY, /there is no gateway/],
    ['two gateways', `${HEAD}${list}${BY_VARIABLE}\n${second}`, /gateway and other both/],
    ['a list without a default', HEAD + required + BY_VARIABLE, /tool_components has no default/],
    ['an array that is none', HEAD + broken + BY_VARIABLE, /not an array of names/],
    [
      'triggers in one line',
      `${HEAD}${list}${BY_VARIABLE.replace(/^\[\[trigger[^]*?\n\n/, '')}`.replace(
        '[application]',
        'trigger = { http = [{ route = "/...", component = "gateway" }] }\n[application]',
      ),
      /could not be read/,
    ],
  ])('%s', (_, text, reason) => {
    expect(() => edit(text)).toThrow(reason)
  })
})

describe('the check of the edited text', () => {
  const before = `${HEAD}[variables]\ntool_components = { default = "a" }\n\n${BY_VARIABLE}`
  const edited = edit(before).text
  it.each([
    ['another component', edited.replace('g.wasm', 'h.wasm'), /change the components/],
    ['another route', edited.replace('"/..."', '"/x/..."'), /change the triggers/],
    ['another name', edited.replace('"app"', '"ape"'), /change the application/],
    ['another list', edited.replace('"a,new-tool"', '"new-tool"'), /change the list/],
    ['another variable', `${edited}\n[variables.x]\ndefault = ""\n`, /change the variables/],
    ['a route that is public', edited.replace('{ private = true }', '"/t"'), /change the triggers/],
  ])('finds %s', (_, text, reason) => {
    expect(() => verifyEdit(parseManifest(before, '/app/spin.toml'), text, addition)).toThrow(
      reason,
    )
  })
})

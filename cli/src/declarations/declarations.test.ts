// Variables of the gateway that a manifest does not declare: what is said, and what is added.
import { templateOf } from '../../../create-ftl-tool/src/template.ts'
import { applicationFiles } from '../../../create-ftl-tool/src/application.ts'
import { type ComponentManifest, type Manifest, parseManifest } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import { declarationHelp } from './declaration-lines.ts'
import { withDeclarations } from './edit.ts'
import { onlyGateway } from './gateway-of.ts'
import { CURRENT_VARIABLES, lackingOf } from './undeclared.ts'

const FILE = '/app/spin.toml'

/** As an earlier version wrote it. */
const EARLIER = `spin_manifest_version = 2

[application]
name = "old"

# Mine.
[variables]
tool_components = { default = "greet" } # the tools
call_timeout_ms = { default = "3000" }

[[trigger.http]]
route = "/..."
component = "mcp-gateway"

[component.mcp-gateway]
source = "dist/mcp-gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]

[component.mcp-gateway.variables]
tool_components = "{{ tool_components }}"
call_timeout_ms = "{{ call_timeout_ms }}"
wait_limit_ms = "1234"
list_settings = "list_page_size=7"

[component.mcp-gateway.tool.ftl]
entry = "ftl-gateway"
`

function parsed(text: string): { manifest: Manifest; gateway: ComponentManifest } {
  const manifest = parseManifest(text, FILE)
  const gateway = onlyGateway(manifest)
  if (!gateway) throw new Error('there is no gateway')
  return { manifest, gateway }
}

function fixed(text: string): string {
  const { manifest, gateway } = parsed(text)
  return withDeclarations(text, manifest, gateway, lackingOf(gateway, manifest))
}

describe('what ftl doctor --fix adds', () => {
  const after = fixed(EARLIER)
  const { manifest, gateway } = parsed(after)

  it('is all that a new application declares, and then nothing', () => {
    expect(lackingOf(gateway, manifest).names).toEqual([])
    expect(fixed(after)).toBe(after)
  })

  it('leaves every line that was there, and what the application has decided', () => {
    const kept = EARLIER.split('\n').filter(
      (line) => !/^(list_settings|allowed_outbound)/.test(line),
    )
    expect(after.split('\n')).toEqual(expect.arrayContaining(kept))
    expect(gateway.variables).toMatchObject({ wait_limit_ms: '1234' })
    expect(manifest.variables.has('wait_limit_ms')).toBe(false)
    expect(manifest.variables.get('call_timeout_ms')?.default).toBe('3000')
  })

  it('extends a variable that has several settings', () => {
    expect(gateway.variables['list_settings']).toMatch(
      /^list_page_size=7; tools_mode=\{\{ tools_mode \}\}; list_budget_tokens=/,
    )
    expect(gateway.variables['call_settings']).toMatch(
      /^call_timeout_ms=\{\{ call_timeout_ms \}\}; audit=\{\{ audit \}\}/,
    )
  })

  it('lets the gateway reach an authorization server, and names no bridge', () => {
    expect(gateway.allowedOutboundHosts).toEqual(['http://*.spin.internal', '{{ auth_host }}'])
    expect(manifest.variables.get('bridge_url')?.default).toBe('off')
    expect(manifest.variables.get('request_state_key')?.secret).toBe(true)
  })

  it('keeps the value of a setting that the gateway has by itself', () => {
    const literal = EARLIER.replace('call_timeout_ms = { default = "3000" }\n', '').replace(
      '"{{ call_timeout_ms }}"',
      '"77"',
    )
    const { gateway: changed } = parsed(fixed(literal))
    expect(changed.variables['call_settings']).toMatch(/^call_timeout_ms=77; audit=/)
  })

  it('is nothing for a new application', () => {
    const files = applicationFiles('my-app', templateOf('tool'), { rustCrate: '"0.1"' })
    const made = parsed(files.get('spin.toml') ?? '')
    expect(lackingOf(made.gateway, made.manifest).names).toEqual([])
    for (const name of CURRENT_VARIABLES) expect(made.manifest.variables.has(name)).toBe(true)
  })

  it('is refused where tables have another form', () => {
    const inline = EARLIER.replace(/\[component\.mcp-gateway\.variables\][^]*?\n\n/, '').replace(
      'key_value_stores',
      'variables = { tool_components = "{{ tool_components }}" }\nkey_value_stores',
    )
    expect(() => fixed(inline)).toThrow('there is no table [component.mcp-gateway.variables]')
  })
})

describe('the help for an undeclared variable', () => {
  const { manifest } = parsed(EARLIER)

  it('has the lines to add, which then declare it', () => {
    const help = declarationHelp('request_state_key', manifest)
    expect(help).toContain('npx ftl doctor --fix')
    const [, declaration = ''] = /^ {2}(request_state_key = \{.*\})$/m.exec(help) ?? []
    const [, binding = ''] = /^ {2}(request_state_key = ".*")$/m.exec(help) ?? []
    const text = EARLIER.replace('[variables]\n', `[variables]\n${declaration}\n`).replace(
      '.variables]\n',
      `.variables]\n${binding}\n`,
    )
    const { gateway } = parsed(text)
    expect(gateway.variables['request_state_key']).toBe('{{ request_state_key }}')
    expect(declarationHelp('auth_host', manifest)).toContain(
      'allowed_outbound_hosts = ["http://*.spin.internal", "{{ auth_host }}"]',
    )
  })

  it('names the part that reads it, and a name that is alike', () => {
    expect(declarationHelp('llm_url', manifest)).toContain('npx ftl add chat')
    expect(declarationHelp('call_timeout', manifest)).toContain('"call_timeout_ms"')
    expect(declarationHelp('constructor', manifest)).toContain('Declare it in [variables]')
  })
})

// The manifest of this repository, and that of a new application, declare every variable in the same words.
import { readFileSync } from 'node:fs'
import { parseManifest } from 'ftl-host'
import { parse, type TomlTable } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { applicationFiles } from '../application.ts'
import { templateOf } from '../template.ts'
import { EARLIER_VARIABLES, gatewayBindings, reachesGateway } from './gateway-component.ts'
import { GATEWAY_VARIABLES, toolComponents } from './gateway-variables.ts'
import { ALL_VARIABLES } from './part-variables.ts'

interface Toml {
  variables: Record<string, TomlTable>
  component: Record<string, { variables: Record<string, string> }>
}

const read = (text: string) => parse(text) as unknown as Toml
const ours = read(readFileSync(new URL('../../../spin.toml', import.meta.url), 'utf8'))
const files = applicationFiles('my-app', templateOf('tool'), { rustCrate: '"0.1"' })
const text = files.get('spin.toml') ?? ''
const created = read(text)

describe('the manifest of this repository', () => {
  const { tool_components: tools, ...others } = ours.variables

  it('declares the variables as the source of declarations does', () => {
    expect(others).toEqual(ALL_VARIABLES)
    expect(tools).toEqual(toolComponents(tools?.['default'] as string))
  })

  it('passes them on to the gateway as the source of declarations does', () => {
    expect(ours.component['mcp-gateway']?.variables).toEqual(gatewayBindings())
  })
})

describe('the manifest of a new application', () => {
  const { tool_components: tools, bridge_url: bridge, ...others } = created.variables
  const expected = Object.entries(GATEWAY_VARIABLES).filter(
    ([name]) => name !== 'bridge_url' && !EARLIER_VARIABLES.includes(name),
  )

  it('declares every variable of the gateway, and sets only what a new application has another value for', () => {
    expect(others).toEqual(Object.fromEntries(expected))
    expect(tools).toEqual(toolComponents('my-app'))
    expect(bridge).toEqual({ ...GATEWAY_VARIABLES['bridge_url'], default: 'off' })
  })

  it('passes each of them on', () => {
    const { components } = parseManifest(text, '/my-app/spin.toml')
    const gateway = components.get('mcp-gateway')
    for (const name of Object.keys(created.variables)) {
      const reached = reachesGateway(name)
      if (reached && 'host' in reached)
        expect(gateway?.allowedOutboundHosts).toContain(reached.host)
      else expect(gateway?.variables[reached?.variable ?? name]).toBe(reached?.value)
    }
  })
})

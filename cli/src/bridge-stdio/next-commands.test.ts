import { parseManifest } from 'ftl-host'
import { expect, it } from 'vitest'
import { nextCommands } from './next-commands.ts'

const UP = 'npx ftl up --build --variable remote_servers=@servers.json'

const commandsFor = (tools: string, components: readonly string[]) => {
  const text = `spin_manifest_version = 2
[application]
name = "shop"
[variables]
tool_components = { default = ${JSON.stringify(tools)} }
[component.mcp-gateway]
source = "gateway.wasm"
variables = { tool_components = "{{ tool_components }}" }
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
${components.map((id) => `[component.${id}]\nsource = "${id}.wasm"\n[[trigger.http]]\nroute = { private = true }\ncomponent = "${id}"\n`).join('')}`
  return nextCommands(parseManifest(text, '/shop/spin.toml'), 'servers.json')
}

it('starts an application that has the component', () => {
  expect(commandsFor('greet,remote', ['greet', 'remote'])).toEqual([UP])
  expect(commandsFor('["remote"]', ['remote'])).toEqual([UP])
})

it('adds the component first, if the application does not have it', () => {
  expect(commandsFor('greet', ['greet'])).toEqual(['npx ftl add remote', UP])
})

it('names the component, if the application does not offer its tools', () => {
  expect(commandsFor('greet, echo', ['greet', 'echo', 'remote'])).toEqual([
    `${UP} --variable tool_components=greet,echo,remote`,
  ])
})

it('says what the application needs, if the folder belongs to none', () => {
  expect(nextCommands(undefined, 'servers.json').join('\n')).toContain('ftl add remote')
})

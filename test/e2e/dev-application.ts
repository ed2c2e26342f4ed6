// A small application of its own for tests of `ftl dev`: the gateway and a tool whose sources a test may change.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, ftl, REPOSITORY, type RunningCommand } from '../support/command.ts'

export interface DevApplication {
  folder: string
  /** Origin of the gateway. */
  url: string
  command: RunningCommand
  /** Writes a file of the application. */
  put(path: string, text: string): Promise<void>
  /** Calls a tool by plain HTTP; what it answered as text, or what went wrong. */
  call(tool: string): Promise<string>
  close(): Promise<void>
}

export const toolSource = (name: string, answer: string) => `import { createTool } from 'ftl-sdk'

export const tool = createTool({
  metadata: { name: '${name}', description: 'Says a word' },
  handler: () => ${answer},
})
`

/** A tool whose job is done at its first poll. */
export const jobSource = (name: string) => `import { createTool, ToolResponse } from 'ftl-sdk'

export const tool = createTool({
  metadata: { name: '${name}', description: 'Says its name' },
  job: {
    start: () => ({}),
    poll: async () => ({ result: ToolResponse.text('${name}') }),
    cancel: async () => 'cancelled',
  },
})
`

const component = (id: string) => `
[[trigger.http]]
route = { private = true }
component = "${id}"
[component.${id}]
source = "dist/${id}.wasm"
[component.${id}.build]
command = "npx ftl build"
[component.${id}.tool.ftl]
entry = "${id}/main.ts"
`

export const manifest = (...ids: string[]) => `spin_manifest_version = 2
[application]
name = "dev-test"
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = "../mcp-gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
tool_components = "${ids.join(',')}"
catalog_ttl_ms = "0"
bridge_url = "off"
${ids.map(component).join('')}`

export async function devFolder(): Promise<string> {
  await mkdir(join(REPOSITORY, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(REPOSITORY, 'dist', 'dev-test-'))
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
  await put(folder, 'spin.toml', manifest('word'))
  await put(folder, 'word/main.ts', toolSource('word', "'one'"))
  return folder
}

export async function put(folder: string, path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), text)
}

export async function startDev(
  folder: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<DevApplication> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const command = ftl(
    ['dev', '--listen', `127.0.0.1:${port}`, '--no-bridge', '--no-comfyui', ...args],
    { cwd: folder, env },
  )
  return {
    folder,
    url,
    command,
    put: (path, text) => put(folder, path, text),
    call: (tool) => callTool(url, tool),
    async close() {
      command.signal('SIGINT')
      await command.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function callTool(url: string, name: string): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
    }),
  })
  const { result, error } = (await response.json()) as {
    result?: { content: { text?: string }[] }
    error?: { message: string; data?: { reason?: string } }
  }
  return (
    result?.content[0]?.text ?? error?.data?.reason ?? error?.message ?? `status ${response.status}`
  )
}

// The MCP contract of a gateway with its tools as a Cloudflare Worker, on workerd: `ftl build --single --target workers`.
import { beforeAll } from 'vitest'
import { PUT_TOGETHER, PUT_TOGETHER_NAME } from '../support/manifests.ts'
import { mcpContract } from '../support/mcp-contract.ts'
import { buildScript, startOnWorkerd } from '../support/scripts.ts'

let folder = ''
beforeAll(async () => {
  folder = await buildScript(['--single', '--target', 'workers', '--from', PUT_TOGETHER])
})

mcpContract((variables) => startOnWorkerd(folder, variables), PUT_TOGETHER_NAME)

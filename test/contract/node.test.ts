// The MCP contract of a gateway with its tools as a server on Node: `ftl build --single --target node`.
import { beforeAll } from 'vitest'
import { PUT_TOGETHER, PUT_TOGETHER_NAME } from '../support/manifests.ts'
import { mcpContract } from '../support/mcp-contract.ts'
import { buildScript, startOnNode } from '../support/scripts.ts'

let folder = ''
beforeAll(async () => {
  folder = await buildScript(['--single', '--target', 'node', '--from', PUT_TOGETHER])
})

mcpContract((variables) => startOnNode(folder, variables), PUT_TOGETHER_NAME)

// The MCP contract within the limits of Akamai Functions: `ftl up --platform akamai`.
import { MANIFESTS } from '../support/manifests.ts'
import { mcpContract } from '../support/mcp-contract.ts'
import { onHost } from './mcp/application.ts'

mcpContract(onHost({ manifest: MANIFESTS.mcp, platform: 'akamai' }))

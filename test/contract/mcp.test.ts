// The MCP contract on the embedded host, or of the application that FTL_TEST_URL names.
import { MANIFESTS } from '../support/manifests.ts'
import { mcpContract } from '../support/mcp-contract.ts'
import { onHost } from './mcp/application.ts'

mcpContract(process.env['FTL_TEST_URL'] ? undefined : onHost({ manifest: MANIFESTS.mcp }))

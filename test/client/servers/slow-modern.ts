// A server of the official SDK for all revisions that starts more slowly than the client waits for its first answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

await sleep(2500)
serveStdio(() => {
  const server = new McpServer({ name: 'slow', version: '1.0.0' })
  server.registerTool('say', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  return server
})

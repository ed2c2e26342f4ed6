/** A shop with more tools than a budget of 1,000 tokens allows, and an MCP client of 2025 for it. */
import type { ToolResult } from 'ftl-contract'
import {
  type Component,
  createWorld,
  post,
  several,
  text,
  tool,
  type World,
} from '../../testing/components.ts'

export const V2025 = { 'mcp-protocol-version': '2025-11-25' }

/** The tools that find and call the others. */
export const VIRTUAL = ['search_tools', 'describe_tools', 'use_tool']

/** 60 exports, `create_order`, and `ping_shop`, which is always visible. */
export function shop(
  variables: Record<string, string> = {},
  more: Record<string, Component> = {},
  now?: () => number,
): World {
  const many = Array.from({ length: 60 }, (_, number) =>
    tool(`export_${number}`, { path: { type: 'string' } }),
  )
  const order = {
    ...tool('create_order', { item: { type: 'string' } }, ['item']),
    outputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
  }
  const pinned = { ...tool('ping_shop'), _meta: { 'ftl/alwaysVisible': true } }
  const run = (name: string, args: Record<string, unknown>): ToolResult =>
    name === 'create_order'
      ? { ...text(JSON.stringify(args)), structuredContent: { id: 7 } }
      : text(name)
  const components = { shop: several([...many, order, pinned], run), ...more }
  return createWorld({
    components,
    now,
    variables: { list_settings: 'list_budget_tokens=1000', ...variables },
  })
}

export interface Answer {
  result?: ToolResult & { tools?: { name: string }[] }
  error?: { code: number; message: string }
}

interface Sending {
  /** @default /mcp */
  path?: string
  /** @default those of a client of 2025 */
  headers?: Record<string, string>
}

export async function rpc(
  world: World,
  method: string,
  params: object,
  { path, headers = V2025 }: Sending = {},
): Promise<Answer> {
  const response = await world.send(post({ jsonrpc: '2.0', id: 1, method, params }, headers, path))
  return (await response.json()) as Answer
}

export const callOf = (world: World, name: string, args: object, sending?: Sending) =>
  rpc(world, 'tools/call', { name, arguments: args }, sending)

/** The text of a result. */
export const textOf = ({ result }: Answer) =>
  (result?.content[0] as { text: string } | undefined)?.text

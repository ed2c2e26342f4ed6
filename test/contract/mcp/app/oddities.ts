/**
 * A component that does what the conformance suite's does not: rare features, and mistakes the gateway has to stand.
 */
import type { Offer } from 'ftl-contract'
import type { Platform } from 'ftl-platform'
import { ASKING_TOOLS, askingResource } from './asking.ts'
import { readCall, text } from './call.ts'
import { LINE_TOOLS } from './lines.ts'
import { RESULTS, RESULT_TOOLS } from './results.ts'
import { SCHEMA_TOOLS } from './schemas.ts'
import { complete, PROMPTS, RESOURCE_TEMPLATES, RESOURCES } from './offers.ts'

const OFFER: Offer = {
  tools: [
    ...RESULT_TOOLS,
    ...SCHEMA_TOOLS,
    ...[...Object.keys(LINE_TOOLS), ...Object.keys(ASKING_TOOLS), 'ticks', 'schema_fetches'].map(
      (name) => ({ name, description: `Fixture ${name}`, inputSchema: { type: 'object' } }),
    ),
  ],
  prompts: PROMPTS,
  resources: RESOURCES,
  resourceTemplates: RESOURCE_TEMPLATES,
  completions: true,
  logging: true,
}

export default {
  async fetch(request: Request, platform: Platform): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname === '/schema') {
      await count(platform, 'schema_fetches')
      return Response.json({ type: 'string' })
    }
    const call = await readCall(request)
    if (url.pathname === '/resources') return askingResource(url.searchParams.get('uri'), call)
    if (request.method === 'GET') return Response.json(OFFER)
    if (url.pathname === '/complete') return Response.json(complete(call.args))
    const name = url.pathname.slice(1)
    if (name === 'ticks' || name === 'schema_fetches') {
      return text(String(await counted(platform, name)))
    }
    const listened = request.headers.get('accept')?.includes('application/x-ndjson') ?? false
    const lines = LINE_TOOLS[name]
    if (lines) return lines({ listened, tick: () => count(platform, 'ticks') })
    const asks = ASKING_TOOLS[name]
    if (asks) return Response.json(asks(call))
    const result = RESULTS[name]
    return result ? result(call.args) : text(JSON.stringify(call.args))
  },
}

async function counted(platform: Platform, name: string): Promise<number> {
  const store = await platform.openKeyValue('default')
  const bytes = await store.get(`oddities:${name}`)
  return bytes ? Number(new TextDecoder().decode(bytes)) : 0
}

async function count(platform: Platform, name: string): Promise<void> {
  const store = await platform.openKeyValue('default')
  await store.set(`oddities:${name}`, String((await counted(platform, name)) + 1))
}

/** A gateway whose policy asks for an approval of some calls. */
import type { ToolResult } from 'ftl-contract'
import { as, keys } from './api-keys.ts'
import { type Component, createWorld, text, tool, type World } from './components.ts'
import { modern, type ModernOptions } from './modern.ts'

/** The question for an approval, in `inputRequests`, and its token, in `_meta`. */
export const KEY = 'ftl/approval'
export const ELICITS = { elicitation: {} }
export const TTL_MS = 600_000

export const POLICY = JSON.stringify({
  rules: [
    { effect: 'ask', tools: ['delete', 'rename', 'drop'] },
    { effect: 'ask', prompts: ['*'] },
    { effect: 'allow' },
  ],
})

export interface ApprovalWorld extends World {
  clock: { now: number }
  /** Calls that ran, with what the component received. */
  ran: { path: string; type: string | null; body: unknown }[]
}

/** `delete` answers, `rename` asks the client first, with state or without. */
export function approvalWorld({ keepsState = true } = {}): ApprovalWorld {
  const clock = { now: 1_000_000 }
  const ran: ApprovalWorld['ran'] = []
  const files: Component = async (incoming) => {
    const path = new URL(incoming.url).pathname
    if (incoming.method === 'GET') return Response.json(OFFER)
    const type = incoming.headers.get('content-type')
    const body = (await incoming.json()) as { inputResponses?: Record<string, unknown> }
    ran.push({ path, type, body })
    if (path === '/rename' && !body.inputResponses?.['to']) {
      return Response.json({
        resultType: 'input_required',
        inputRequests: { to: { method: 'elicitation/create', params: { message: 'To what?' } } },
        ...(keepsState && { requestState: 'noted' }),
      })
    }
    return Response.json(text(`did ${path}`))
  }
  const made = createWorld({
    components: { files, other: files },
    variables: {
      tool_components: 'files,other',
      api_keys: keys('ada', 'eve'),
      policy: POLICY,
      request_state_ttl_ms: String(TTL_MS),
      catalog_ttl_ms: '60000',
    },
    now: () => clock.now,
  })
  return { ...made, clock, ran }
}

const OFFER = {
  tools: ['delete', 'rename', 'read'].map((name) => tool(name, { path: { type: 'string' } })),
  prompts: [{ name: 'greet' }],
}

interface Result extends Partial<ToolResult> {
  resultType?: string
  requestState?: string
  inputRequests?: Record<string, { params: { message: string; requestedSchema: object } }>
}

export interface Asked {
  result: Result
  error?: { message: string; data?: unknown }
}

/** Calls a tool, as a client that can be asked unless its capabilities say otherwise. */
export async function ask(
  made: ApprovalWorld,
  params: Record<string, unknown>,
  {
    who = 'ada',
    capabilities = ELICITS,
    headers = {},
    ...more
  }: ModernOptions & { who?: string } = {},
): Promise<Asked> {
  const sent = { capabilities, headers: { ...as(who), ...headers }, ...more }
  const response = await made.send(
    modern('tools/call', { arguments: { path: '/a' }, ...params }, sent),
  )
  return (await response.json()) as Asked
}

/** The parameters that answer the question for an approval. */
export const answer = (action: string) => ({ inputResponses: { [KEY]: { action, content: {} } } })

export const said = ({ result, error }: Asked) => JSON.stringify(error ?? result.content ?? result)

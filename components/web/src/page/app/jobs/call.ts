/** Calling a tool: its result, or the job it has started. */
import { askPerson } from '../approval/approvals.ts'
import { ApiError, asRecord, posting, readJson, request, text } from '../net/api.ts'
import type { Tool } from '../net/tools.ts'
import { addJob, type KnownJob } from './known-jobs.ts'

export type Called = { jobId: string } | { result: unknown }

export interface CallOptions {
  /** The same key is the same job, however often it is sent: what makes a call safe to repeat. */
  key: string
  signal?: AbortSignal
}

/** @throws {ApiError} */
export async function callTool(
  tool: string,
  args: Record<string, unknown>,
  { key, signal }: CallOptions,
): Promise<Called> {
  const headers = { prefer: 'respond-async', 'idempotency-key': key }
  const sent = structuredClone({ tool, params: args })
  const init = { ...posting(sent, headers), ...(signal && { signal }) }
  const response = await send(init, sent)
  const body = asRecord(await readJson(response))
  const id = text(body['id'])
  if (response.status !== 202 || id === undefined) return { result: body }
  addJob({ id, tool, arguments: args })
  return { jobId: id }
}

/** Asks the person where the call needs an approval. */
async function send(init: RequestInit, call: { tool: string; params: Record<string, unknown> }) {
  try {
    return await request('/invoke', init, true)
  } catch (error) {
    if (!(error instanceof ApiError) || !error.approval) throw error
    const { component, token } = error.approval
    const { tool, params } = call
    const asker = 'you, on this page'
    const isApproved = await askPerson({ tool, component, arguments: params, asker }, init.signal)
    if (!isApproved) throw new ApiError(403, 'declined', 'You declined this call. Nothing was run.')
    const headers = new Headers(init.headers)
    headers.set('ftl-approval', token)
    return request('/invoke', { ...init, headers }, true)
  }
}

/** `crypto.randomUUID` is there only where the page came over TLS or from this machine. */
export function newKey(): string {
  const parts = crypto.getRandomValues(new Uint32Array(4))
  return [...parts].map((part) => part.toString(16).padStart(8, '0')).join('')
}

/** Largest seed a form offers; any renderer takes it. */
const MOST_SEEDS = 2 ** 32

/** The same again with another seed; nothing where the tool has none, or is not among `tools`. */
export function varied(
  { tool, arguments: args }: KnownJob,
  tools: readonly Tool[],
): Record<string, unknown> | undefined {
  const schema = tools.find(({ name }) => name === tool)?.inputSchema
  if (!args || !('seed' in asRecord(schema?.['properties']))) return undefined
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1))
  return { ...args, seed: seed % MOST_SEEDS }
}

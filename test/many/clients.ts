/** What the tests do as clients of a host. */
import { as } from './world.ts'

export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export async function request(
  url: string,
  caller: string,
  init: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method: init.method ?? 'GET',
    headers: { ...as(caller), ...(init.body !== undefined && JSON_TYPE), ...init.headers },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  })
  const text = await response.text()
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

const JSON_TYPE = { 'content-type': 'application/json' }

let seed = 0

/** Starts a job and returns its id. No two calls are for the same picture. */
export async function startPicture(
  url: string,
  caller: string,
  { key, ...params }: { key?: string; seed?: number } = {},
): Promise<string> {
  const { status, body } = await request(`${url}/invoke`, caller, {
    method: 'POST',
    headers: { prefer: 'respond-async', ...(key !== undefined && { 'idempotency-key': key }) },
    body: {
      tool: 'generate_image',
      params: { prompt: 'a lighthouse', seed: ++seed, ...params },
    },
  })
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  return String(body['id'] ?? body['jobId'])
}

export const readJob = (url: string, caller: string, id: string) =>
  request(`${url}/jobs/${id}`, caller)

export async function echo(url: string, caller: string): Promise<Reply> {
  return request(`${url}/invoke`, caller, {
    method: 'POST',
    body: { tool: 'echo', params: { message: 'hello' } },
  })
}

/** Requests of plain HTTP clients, for tests of the gateway. */
import type { World } from './components.ts'

export interface Seen {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export interface Sending {
  /** @default GET, and POST with a body */
  method?: string
  /** Sent as JSON; a string as it is. */
  body?: unknown
  headers?: Record<string, string>
}

export function request(path: string, { method, body, headers = {} }: Sending = {}): Request {
  return new Request(`http://localhost:3000${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** A POST with this body, for any path. */
export const posting = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Reads the JSON answer. */
export async function send(world: World, path: string, sending?: Sending): Promise<Seen> {
  const response = await world.send(request(path, sending))
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Record<string, unknown> }
}

/** The lines of an answer, each parsed. */
export async function linesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

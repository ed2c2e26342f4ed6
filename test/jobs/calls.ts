import { post, type RpcAnswer } from '../support/rpc.ts'

const PREFIX = 'io.modelcontextprotocol/'
const ANY = 'application/json, text/event-stream'

/** Of a client of 2025-11-25. */
export const LEGACY = { 'mcp-protocol-version': '2025-11-25', accept: ANY }

/** A request of a client of 2026-07-28 that follows tasks. */
export async function modernCall(
  url: string,
  method: string,
  params: { name?: string; taskId?: string; arguments?: object },
  more: Record<string, string> = {},
): Promise<RpcAnswer> {
  const _meta = {
    [`${PREFIX}protocolVersion`]: '2026-07-28',
    [`${PREFIX}clientInfo`]: { name: 'test', version: '1' },
    [`${PREFIX}clientCapabilities`]: { extensions: { [`${PREFIX}tasks`]: {} } },
  }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': params.name ?? params.taskId ?? '',
    accept: ANY,
    ...more,
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
  return (await (await post(url, body, headers)).json()) as RpcAnswer
}

export interface SentEvent {
  event: string
  data: Record<string, unknown>
}

/** The events of a response as they come; fails when the connection breaks. */
export async function* sentEvents(response: Response): AsyncGenerator<SentEvent> {
  for await (const block of parts(response, '\n\n')) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const data = field('data')
    if (data === undefined) continue
    yield { event: field('event') ?? 'message', data: JSON.parse(data) as SentEvent['data'] }
  }
}

/** The JSON documents of a response, a line each. */
export async function* jsonLines(response: Response): AsyncGenerator<Record<string, unknown>> {
  for await (const line of parts(response, '\n')) {
    yield JSON.parse(line) as Record<string, unknown>
  }
}

async function* parts({ body }: Response, end: string): AsyncGenerator<string> {
  if (!body) throw new Error('an answer without a body')
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const pieces = `${rest}${text}`.split(end)
    rest = pieces.pop() ?? ''
    yield* pieces
  }
}

import type { Call } from './call.ts'

const ASK_NAME = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'What is your name?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
  },
}

export const ASKING = { resultType: 'input_required', inputRequests: { user_name: ASK_NAME } }

const said = (text: string) => ({ content: [{ type: 'text', text }] })

/** Tools that ask the client something, not always as they may. */
export const ASKING_TOOLS: Record<string, (body: Call) => object> = {
  asks_nothing: () => ({ resultType: 'input_required' }),
  asks_for_a_tool: () => ({
    resultType: 'input_required',
    inputRequests: { tools: { method: 'tools/list', params: {} } },
  }),
  asks_by_url: () => ({
    resultType: 'input_required',
    inputRequests: {
      consent: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Please consent.', url: 'https://example.com/consent' },
      },
    },
  }),
  // Nothing is asked of the client but to come again.
  asks_to_come_again: ({ state }) =>
    state === 'first round'
      ? said('came again')
      : { resultType: 'input_required', requestState: 'first round' },
  pays: ({ args, state }) =>
    state === 'asked'
      ? said(`paid ${String(args['amount'])}`)
      : { ...ASKING, requestState: 'asked' },
}

/** `GET /resources?uri=`, and the same again by POST with the client's answers. */
export function askingResource(uri: string | null, { answers }: Call): Response {
  if (uri === 'odd://bytes') {
    return Response.json({
      contents: [{ uri, mimeType: 'application/octet-stream', blob: 'AAEC/f7/' }],
    })
  }
  if (uri === 'odd://badly-kept') {
    return Response.json({ contents: [{ uri, text: 'kept' }], ttlMs: -5, cacheScope: 'everyone' })
  }
  // Nothing there, and yet no 404.
  if (uri === 'odd://city/nowhere') return Response.json({ contents: [] })
  if (uri !== 'odd://asks') return new Response(null, { status: 404 })
  const answer = answers?.['user_name'] as { content?: { name?: unknown } } | undefined
  const name = answer?.content?.name
  if (typeof name !== 'string') return Response.json(ASKING)
  return Response.json({ contents: [{ uri, mimeType: 'text/plain', text: `For ${name}.` }] })
}

/** What the gateway sends with a call. */
export interface Call {
  args: Record<string, unknown>
  /** The client's answers, by the keys of the questions. */
  answers?: Record<string, unknown>
  /** The component's own, of the round before. */
  state?: string
}

export async function readCall(request: Request): Promise<Call> {
  if (request.method !== 'POST') return { args: {} }
  const body = JSON.parse((await request.text()) || '{}') as Record<string, unknown>
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('application/vnd.ftl.call+json')) return { args: body }
  const { arguments: args, inputResponses: answers, requestState: state } = body
  return { args, answers, state } as Call
}

export function text(value: string): Response {
  return Response.json({ content: [{ type: 'text', text: value }] })
}

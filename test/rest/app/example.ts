// The tool of the reference's examples, and two beside it: one with a name OpenAI does not allow, one that talks much.
const TOOLS = [
  {
    name: 'example',
    description: 'Test txt2img workflow',
    inputSchema: {
      type: 'object',
      properties: {
        positive_prompt: { type: 'string', description: 'Positive prompt' },
        negative_prompt: { type: 'string', description: 'Negative prompt', default: '' },
        seed: { type: 'integer', description: 'Seed for KSampler' },
      },
      required: ['positive_prompt'],
    },
  },
  {
    name: 'text.upper',
    description: 'Writes text in capitals',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  {
    name: 'talks',
    description: 'Says much before it is done',
    inputSchema: { type: 'object', properties: { lines: { type: 'integer' } } },
  },
]

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(TOOLS)
    const args = (await request.json()) as Record<string, unknown>
    switch (new URL(request.url).pathname) {
      case '/example':
        return Response.json(drawn(args))
      case '/text.upper':
        return Response.json(said(String(args['text']).toUpperCase()))
      case '/talks':
        return talking(Number(args['lines']))
      default:
        return new Response(null, { status: 404 })
    }
  },
}

function said(text: string): object {
  return { content: [{ type: 'text', text }] }
}

/** As the reference has it: with a seed the workflow, without one the address of a picture. */
function drawn({ positive_prompt: text, seed }: Record<string, unknown>): object {
  const structuredContent =
    seed === undefined
      ? { resultUrl: 'https://comfy.example/view?filename=a.png' }
      : { workflow: { '3': { inputs: { seed } }, '6': { inputs: { text } } } }
  return { ...said(JSON.stringify(structuredContent)), structuredContent }
}

const FILLER = 'all work and no play '.repeat(40)

function talking(lines: number): Response {
  const encoder = new TextEncoder()
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const last = sent === lines
      const line = last
        ? { type: 'result', result: said('done') }
        : { type: 'status', message: `${sent}: ${FILLER}`, progress: sent }
      controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      if (sent++ === lines) controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
}

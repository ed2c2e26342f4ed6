/** In the place of the gateway: begins runs, and answers what they ask for. It checks nothing but the capability. */
import type { ContextPlatform } from 'ftl-sdk'

const CAPABILITY = 'capability-of-this-run'
const TOOLS = [
  { component: 'echo', tool: 'echo' },
  { component: 'my-comp', tool: 'my-tool' },
  { component: 'my-comp', tool: 'constructor' },
]

const refusal = (status: number, code: string, message: string) =>
  Response.json({ error: { code, message } }, { status })

async function begin(request: Request, platform: ContextPlatform): Promise<Response> {
  const headers = new Headers({
    'content-type': 'application/json',
    'ftl-run': CAPABILITY,
    'ftl-deadline': request.headers.get('ftl-deadline') ?? '30000',
    accept: request.headers.get('accept') ?? 'application/json',
  })
  const body = await request.text()
  return platform.fetch('http://code.spin.internal/', { method: 'POST', headers, body })
}

interface Call {
  seq: number
  component: string
  tool: string
  arguments: Record<string, unknown>
}

async function answerCall(request: Request, platform: ContextPlatform): Promise<Response> {
  const { seq, component, tool, arguments: args } = (await request.json()) as Call
  const name = `${component}.${tool}`
  if (name === 'echo.echo') {
    const result = await platform.fetch('http://echo.spin.internal/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    return Response.json({ result: (await result.json()) as unknown })
  }
  if (args['ask']) return refusal(409, 'input_required', 'a person must approve this call')
  if (args['fail']) {
    const content = [{ type: 'text', text: 'it has no paper' }]
    return Response.json({ result: { content, isError: true } })
  }
  if (name === 'my-comp.my-tool') {
    return Response.json({ result: { content: [], structuredContent: { seq, args } } })
  }
  return refusal(404, 'tool_not_found', `there is no tool ${name}`)
}

export default {
  async fetch(request: Request, platform: ContextPlatform): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/begin') return begin(request, platform)
    if (request.headers.get('ftl-run') !== CAPABILITY) {
      return refusal(401, 'run_invalid', 'the capability is not of this gateway')
    }
    const run = { id: 'run-1', startedAt: 1_795_526_400_000, maxCalls: 100, replayed: false }
    if (pathname === '/run/tools') return Response.json({ run, tools: TOOLS })
    if (pathname === '/run/call') return answerCall(request, platform)
    return refusal(501, 'not_available', 'it is not served yet')
  },
}

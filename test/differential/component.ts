/** The offers as a component in memory, written to the component contract. */
import type { Component } from '../../gateway/src/testing/components.ts'
import {
  ASKING_TOOL,
  contentsOf,
  greeting,
  LOG,
  PLAIN_TOOLS,
  PROGRESS,
  PROMPT,
  promptMessages,
  QUESTION,
  RESOURCE,
  startingWith,
  TEMPLATE,
  text,
  WORKING_TOOL,
} from './offers.ts'

const OFFER = {
  tools: [...PLAIN_TOOLS.map(({ description }) => description), WORKING_TOOL, ASKING_TOOL],
  prompts: [PROMPT],
  resources: [RESOURCE],
  resourceTemplates: [TEMPLATE],
  completions: true,
  logging: true,
}

/** Body of a call that comes again with answers. */
const CALL_TYPE = 'application/vnd.ftl.call+json'

interface Call {
  arguments: Record<string, unknown>
  inputResponses?: unknown
}

export const offersComponent: Component = async (request) => {
  const { pathname, searchParams } = new URL(request.url)
  if (request.method === 'GET') {
    if (pathname === '/') return Response.json(OFFER)
    return pathname === '/resources' ? resource(searchParams.get('uri') ?? '') : notFound()
  }
  const call = await readCall(request)
  const plain = PLAIN_TOOLS.find(({ description }) => pathname === `/${description.name}`)
  if (plain) return Response.json(plain.run(call.arguments))
  switch (pathname) {
    case '/slow':
      return slow(request)
    case '/asks':
      return asks(call)
    case '/prompts/greet':
      return Response.json(promptMessages(call.arguments))
    case '/resources':
      return resource(searchParams.get('uri') ?? '')
    case '/complete':
      return complete(call)
  }
  return notFound()
}

async function readCall(request: Request): Promise<Call> {
  const body = (await request.json()) as unknown
  return request.headers.get('content-type') === CALL_TYPE
    ? (body as Call)
    : { arguments: body as Call['arguments'] }
}

function slow({ headers }: Request): Response {
  const result = text('worked')
  if (!headers.get('accept')?.includes('application/x-ndjson')) return Response.json(result)
  const lines = [
    ...PROGRESS.map((status) => ({ type: 'status', ...status })),
    { type: 'log', ...LOG },
    { type: 'result', result },
  ]
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
}

function asks({ inputResponses }: Call): Response {
  const answer = greeting(inputResponses)
  return Response.json(answer ?? { resultType: 'input_required', inputRequests: { who: QUESTION } })
}

function complete({ arguments: args }: Call): Response {
  const { argument } = args as { argument: { name: string; value: string } }
  const isKnown = ['name', 'id'].includes(argument.name)
  const values = isKnown ? startingWith(argument.value) : []
  const total = isKnown ? values.length : undefined
  return Response.json({ completion: { values, total, hasMore: false } })
}

function resource(uri: string): Response {
  const known = uri === RESOURCE.uri || uri.startsWith('test://items/')
  return known ? Response.json(contentsOf(uri)) : notFound()
}

function notFound(): Response {
  return new Response(null, { status: 404 })
}

/** Its first tool and nothing else. */
export const toolsOnlyComponent: Component = (request) => {
  const { pathname } = new URL(request.url)
  const tool = PLAIN_TOOLS[0]!.description
  if (request.method === 'GET' && pathname === '/') return Response.json([tool])
  return pathname === `/${tool.name}` ? offersComponent(request) : notFound()
}

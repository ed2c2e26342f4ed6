/** One way to break each rule, by the id of the check that must see it. */
import type { ContextPlatform } from 'ftl-sdk'

interface Asked {
  method: string
  headers: Headers
  /** Below the name of the fault, without the query. */
  path: string
  body: string
  /** The right answer. */
  next: () => Promise<Response>
  platform: ContextPlatform
}

/** `undefined`: there the component does nothing wrong. */
export type Faulty = (asked: Asked) => Promise<Response> | undefined

interface Offer {
  tools: Record<string, unknown>[]
  resources: Record<string, unknown>[]
}

const UNKNOWN_JOB = /^\/jobs\/00000000/
const LINES = 'application/x-ndjson'
const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
const reply = async (body: unknown, status = 200) => Response.json(body, { status })
const failed = () => reply({ error: { code: 'tool_failed', message: 'It failed.' } }, 500)
const isCall = ({ method, path }: Asked, tool = 'say') => method === 'POST' && path === `/${tool}`
const takesLines = ({ headers }: Asked) => headers.get('accept')?.includes(LINES) === true
const isPlain = (asked: Asked) => /^\{"text":"Hello"\}$/.test(asked.body)

const offering = (change: (offer: Offer) => void): Faulty => {
  return ({ method, path, next }) =>
    method === 'GET' && path === '/'
      ? next().then(async (response) => {
          const offer = (await response.json()) as Offer
          change(offer)
          return Response.json(offer)
        })
      : undefined
}

const withJob = (
  when: (asked: Asked) => boolean,
  change: (body: { job?: Record<string, unknown> } & Record<string, unknown>) => void,
): Faulty => {
  return (asked) =>
    when(asked) && !UNKNOWN_JOB.test(asked.path)
      ? asked.next().then(async (response) => {
          const body = (await response.json()) as Record<string, unknown>
          change(body)
          return Response.json(body, { status: response.status })
        })
      : undefined
}

export const FAULTS: Readonly<Record<string, Faulty>> = {
  'offer.readable': ({ method, path }) =>
    method === 'GET' && path === '/' ? reply({ hello: 'world' }) : undefined,
  'offer.names': offering(({ tools }) => tools.push({ ...tools[0] })),
  'offer.texts': offering(({ tools }) => void delete tools[0]?.description),
  'offer.schemas': offering(({ tools }) => {
    tools[1] = {
      ...tools[1],
      inputSchema: { type: 'object', properties: { a: { type: 'strin' } } },
    }
  }),
  'offer.prompts-and-resources': offering(({ resources }) => void delete resources[0]?.name),
  'call.unknown-tool': ({ path }) =>
    path === '/no-such-tool-here' ? reply(text('hi')) : undefined,
  'call.wrong-method': ({ method }) => (method === 'PUT' ? reply(text('hi')) : undefined),
  'call.bad-json': ({ body }) => (body === '{"a":' ? failed() : undefined),
  'call.misfit': (asked) =>
    isCall(asked) && /^\{\}$/.test(asked.body) ? reply(text('worked with it')) : undefined,
  'call.answer': (asked) =>
    isCall(asked, 'steps') && asked.body === '{}' && !takesLines(asked)
      ? reply({ content: [{ type: 'image', data: 'no base64!', mimeType: 'image/png' }] })
      : undefined,
  'call.structured': (asked) =>
    isCall(asked) && isPlain(asked)
      ? reply({ ...text('hi'), structuredContent: { said: 7 } })
      : undefined,
  'prompts.answer': ({ path }) =>
    path === '/prompts/review'
      ? reply({ messages: [{ role: 'system', content: { type: 'text', text: 'Read' } }] })
      : undefined,
  'resources.answer': ({ path }) =>
    path === '/resources' ? reply({ contents: [{ uri: 'note://today' }] }) : undefined,
  'lines.asked-for': (asked) =>
    isCall(asked, 'steps') && asked.body === '{}' && !takesLines(asked)
      ? lines([{ type: 'result', result: text('hi') }])
      : undefined,
  'lines.grammar': (asked) =>
    isCall(asked, 'steps') && takesLines(asked)
      ? lines([
          { type: 'status', progress: 2 },
          { type: 'status', progress: 1 },
          { type: 'result', result: text('hi') },
        ])
      : undefined,
  'jobs.unknown': ({ path }) => (UNKNOWN_JOB.test(path) ? failed() : undefined),
  'jobs.record': withJob(
    (asked) => isCall(asked, 'film'),
    ({ job }) => void delete job?.expiresAt,
  ),
  'jobs.read': withJob(
    ({ method, path }) => method === 'GET' && path.startsWith('/jobs/'),
    (body) => void (body.seq = 0),
  ),
  'jobs.cancel': (asked) =>
    asked.method === 'DELETE' && !UNKNOWN_JOB.test(asked.path) ? endAgain(asked) : undefined,
  'robust.odd-texts': (asked) => (asked.body.includes('\\u0000') ? failed() : undefined),
  'robust.big-body': (asked) => (asked.body.length > 1_000_000 ? failed() : undefined),
  'robust.headers': (asked) =>
    isCall(asked) && asked.headers.get('ftl-client-capabilities') === '{' ? failed() : undefined,
  'robust.deadline': (asked) =>
    isCall(asked) && asked.headers.get('ftl-deadline') === '1500'
      ? new Promise((resolve) => setTimeout(resolve, 2600)).then(asked.next)
      : undefined,
  'robust.concurrency': (asked) =>
    isCall(asked) && asked.body.includes('mark-') ? shared(asked) : undefined,
  'robust.leaks': (asked) =>
    isCall(asked) && asked.body === '{}'
      ? reply({ ...text('TypeError: x\n    at run (/home/me/tool.ts:3:7)'), isError: true }, 400)
      : undefined,
}

async function lines(all: object[]): Promise<Response> {
  const body = all.map((line) => `${JSON.stringify(line)}\n`).join('')
  return new Response(body, { headers: { 'content-type': LINES } })
}

/** Keeps what belongs to a call where all calls see it. */
async function shared({ body, platform }: Asked): Promise<Response> {
  const store = await platform.openKeyValue('default')
  await store.set('call', body)
  await new Promise((resolve) => setTimeout(resolve, 300))
  return reply(text(new TextDecoder().decode(await store.get('call'))))
}

/** Another end each time. */
async function endAgain({ platform }: Asked): Promise<Response> {
  const store = await platform.openKeyValue('default')
  const status = (await store.exists('ended')) ? 'failed' : 'cancelled'
  await store.set('ended', '')
  return reply({ status })
}

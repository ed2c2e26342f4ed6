/** The chat's application with a scripted model, and chats with it over real sockets. */
import { dirname, join } from 'node:path'
import { type Host, startHost } from 'ftl-host'
import {
  type DemoModel,
  type DemoModelOptions,
  startDemoModel,
} from '../../cli/src/demo-model/server.ts'
import { DRAIN_MS } from '../support/drain.ts'
import { MANIFESTS } from '../support/manifests.ts'

export interface ChatApplication {
  url: string
  model: DemoModel
  close(): Promise<void>
}

/** Both on free ports, with nothing remembered. */
export async function startChat(
  options: DemoModelOptions,
  variables: Record<string, string> = {},
): Promise<ChatApplication> {
  const model = await startDemoModel(options)
  const host: Host = await startHost({
    drainMs: DRAIN_MS,
    manifest: MANIFESTS.chat,
    listen: '127.0.0.1:0',
    stateDir: '',
    env: {},
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    variables: { llm_url: model.url, ...variables },
  })
  return {
    url: host.url,
    model,
    async close() {
      await host.close()
      await model.close()
    },
  }
}

export interface Line {
  type: string
  id: string
  timestamp: string
  message?: string
  step?: string
  tool?: string
  callId?: string
  jobId?: string
  progress?: number
  total?: number
  content?: string
  code?: string
  artifact?: Record<string, unknown>
  response?: {
    content: string
    artifacts: Record<string, unknown>[]
    toolCalls: Record<string, unknown>[]
    steps: number
    model: string
    conversationId: string
  }
  /** When it came, in milliseconds since the epoch. */
  at: number
}

export function post(body: object, init: RequestInit = {}): RequestInit {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(body), ...init }
}

/** Every line, each with the time at which it came. */
export async function* linesOf({ body }: Response): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield { ...(JSON.parse(line) as Line), at: Date.now() }
  }
  if (rest !== '') throw new Error(`cut off: ${rest}`)
}

/** A chat to its end. */
export async function chat({ url }: { url: string }, body: object | string): Promise<Line[]> {
  const sent = typeof body === 'string' ? { message: body } : body
  const response = await fetch(`${url}/api/chat`, post(sent))
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  const lines: Line[] = []
  for await (const line of linesOf(response)) lines.push(line)
  return lines
}

/** The messages of the statuses. */
export function statuses(lines: readonly Line[]): string[] {
  return lines.flatMap(({ type, message }) => (type === 'status' ? [message ?? ''] : []))
}

/** What each content line has, joined. */
export function contents(lines: readonly Line[]): string {
  return lines.map(({ content }) => content ?? '').join('')
}

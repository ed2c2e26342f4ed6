/** The requests that the workbench has sent and their answers, with what is secret left out. */
import { newKey } from '../../jobs/call.ts'
import { createStore } from '../../store.ts'

export interface Exchange {
  id: number
  /** Id of the server; empty for this gateway. */
  server: string
  /** Of the JSON-RPC message: `tools/call`; for plain HTTP the method and the path. */
  method: string
  /** Of the tool, where the message names one. */
  tool: string
  /** Of the task or job, where the message names one. */
  task: string
  request: { headers: [string, string][]; body: string }
  status?: number
  response?: { headers: [string, string][]; body: string }
  /** Milliseconds since 1970. */
  startedAt: number
  /** Milliseconds until the whole answer was there. */
  took?: number
  /** Under which the gateway's log has it; empty for other servers. */
  requestId: string
  failure?: string
}

/** The newest last. */
export const exchanges = createStore<readonly Exchange[]>([])

const MOST = 200
/** Characters of a body that are kept. */
const LONGEST = 500_000
const SECRET = /auth|token|secret|cookie|api-?key|approval|session/i
let count = 0

/** A `fetch` that notes what it sends and gets. @param server its id. @default this gateway */
export function noting(send: typeof fetch, server = ''): typeof fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    const body = typeof init?.body === 'string' ? init.body : ''
    const id = ++count
    // So that the gateway's log and its activity can be asked for this request.
    const requestId = server === '' ? newKey() : ''
    const headers = new Headers(init?.headers)
    // Other servers may not allow pages to send it.
    if (requestId !== '') headers.set('x-request-id', requestId)
    const begun = performance.now()
    const took = () => performance.now() - begun
    add({
      id,
      server,
      ...described(body, init?.method ?? 'GET', address),
      startedAt: Date.now(),
      requestId,
      request: { headers: listed(headers), body: shortened(body) },
    })
    try {
      const response = await send(input, { ...init, headers })
      const [kept, passed] = response.body ? response.body.tee() : [null, null]
      change(id, { status: response.status })
      void read(kept).then((text) =>
        change(id, { took: took(), response: { headers: listed(response.headers), body: text } }),
      )
      const { status, statusText } = response
      return new Response(passed, { status, statusText, headers: response.headers })
    } catch (error) {
      change(id, { took: took(), failure: error instanceof Error ? error.message : 'failed' })
      throw error
    }
  }
}

function described(body: string, method: string, address: string) {
  try {
    const message = JSON.parse(body) as {
      method?: unknown
      params?: { name?: unknown; taskId?: unknown }
    }
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return {
      method: text(message.method) || `${method} ${new URL(address, location.href).pathname}`,
      tool: text(message.params?.name),
      task: text(message.params?.taskId),
    }
  } catch {
    return { method: `${method} ${new URL(address, location.href).pathname}`, tool: '', task: '' }
  }
}

async function read(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = stream?.getReader()
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      // The rest is still read: otherwise the other reader would wait for it.
      if (text.length < LONGEST) text += decoder.decode(next.value, { stream: true })
    }
  } catch {
    text += '\n(The answer broke off.)'
  }
  return shortened(text)
}

function listed(headers: Headers): [string, string][] {
  return [...headers].map(([name, value]) => [name, SECRET.test(name) ? '••••' : value])
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… (cut off)` : text
}

function add(exchange: Exchange): void {
  exchanges.set((all) => [...all, exchange].slice(-MOST))
}

function change(id: number, part: Partial<Exchange>): void {
  exchanges.set((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))
}

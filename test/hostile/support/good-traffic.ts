// Requests of well-behaved clients at a fixed rate, each with a nonce that its answer must carry.
import { Agent, request, type RequestOptions } from 'node:http'

export interface Traffic {
  sent: number
  /** Answered 200 with the nonce. */
  right: number
  /** Not answered, or with another status. */
  failed: string[]
  /** Answered 200 with something else: an answer to another caller, or a broken one. */
  wrong: string[]
  /** Milliseconds, each from the moment it should have been sent. */
  times: number[]
}

export interface Acceptance {
  probes: number
  failed: number
  worstMs: number
}

/** A request without an answer by then has failed. */
const TIMEOUT_MS = 10_000

interface Kind {
  path: (nonce: number) => string
  body?: (nonce: number) => string
  /** What the body of the answer must contain. */
  answer: (nonce: number) => string
}

const toolCall = (id: number, name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

/** In turns. */
const KINDS: readonly Kind[] = [
  {
    path: () => '/mcp',
    body: (nonce) => toolCall(nonce, 'echo', { message: `nonce ${nonce}.` }),
    answer: (nonce) => `"nonce ${nonce}."`,
  },
  {
    path: () => '/mcp',
    body: (nonce) => toolCall(nonce, 'calculator', { expression: `${nonce} + 1` }),
    answer: (nonce) => `"result":${nonce + 1}}`,
  },
  {
    // A bare chain of two components.
    path: (nonce) => `/relay/ask?nonce=nonce-${nonce}.`,
    answer: (nonce) => `nonce-${nonce}.`,
  },
]

function send(url: string, options: RequestOptions, body?: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject)
        response.on('end', () => resolve([response.statusCode ?? 0, text]))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/**
 * Sends on connections that are kept, at a rate that does not depend on the answers.
 *
 * @param goesOn asked after the time is over.
 */
export async function goodTraffic(
  url: string,
  perSecond: number,
  milliseconds: number,
  goesOn: () => boolean = () => false,
): Promise<Traffic> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const traffic: Traffic = { sent: 0, right: 0, failed: [], wrong: [], times: [] }
  const began = performance.now()
  const under: Promise<void>[] = []
  const one = async (nonce: number, due: number) => {
    const kind = KINDS[nonce % KINDS.length]!
    const body = kind.body?.(nonce)
    const headers = { 'content-type': 'application/json' }
    try {
      const [status, text] = await send(
        url + kind.path(nonce),
        { agent, method: body === undefined ? 'GET' : 'POST', headers },
        body,
      )
      if (status !== 200) traffic.failed.push(`${status} ${text.slice(0, 200)}`)
      else if (!text.includes(kind.answer(nonce))) traffic.wrong.push(text.slice(0, 200))
      else traffic.right++
    } catch (error) {
      traffic.failed.push(String(error))
    }
    traffic.times.push(performance.now() - due)
  }
  for (;;) {
    const due = began + (traffic.sent * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await new Promise((wake) => setTimeout(wake, wait))
    if (performance.now() - began >= milliseconds && !goesOn()) break
    under.push(one(traffic.sent++, due))
  }
  await Promise.all(under)
  agent.destroy()
  return traffic
}

/** Opens a fresh connection every 100 ms and asks the host for its health, which takes no component. */
export async function probeAcceptance(url: string, milliseconds: number): Promise<Acceptance> {
  const end = performance.now() + milliseconds
  const acceptance: Acceptance = { probes: 0, failed: 0, worstMs: 0 }
  const under: Promise<void>[] = []
  const probe = async () => {
    const began = performance.now()
    acceptance.probes++
    const status = await send(`${url}/.well-known/spin/health`, { agent: false }).then(
      ([found]) => found,
      () => 0,
    )
    if (status !== 200) acceptance.failed++
    acceptance.worstMs = Math.max(acceptance.worstMs, performance.now() - began)
  }
  while (performance.now() < end) {
    under.push(probe())
    await new Promise((wake) => setTimeout(wake, 100))
  }
  await Promise.all(under)
  return acceptance
}

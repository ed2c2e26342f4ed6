/** What a row works with: the server under test, the issuer that it trusts, and what was seen so far. */
import { randomUUID } from 'node:crypto'
import { type Challenge, bearerChallenge } from './challenge-header.ts'
import { type Answer, createHttpClient } from './http-client.ts'
import type { Issuer } from './issuer.ts'
import { type TokenOptions, tokenOf } from './tokens.ts'

export interface Target {
  /** Endpoint of MCP. */
  url: string
  /** `aud` of valid tokens. @default url */
  audience?: string
  /** Scopes that every request needs. @default none */
  scopes?: readonly string[]
  /** The server has a copy of the keys, and requests none. @default false */
  pinned?: boolean
  /** An origin whose pages the server allows. @default unknown */
  origin?: string
  /** The server asks the suite's issuer about opaque tokens. @default false */
  introspects?: boolean
  /** The server takes tokens that are bound to a key, with their proof. @default false */
  dpop?: boolean
  /** Another issuer that the server trusts, for an audience of its own. @default none */
  other?: { issuer: Issuer; audience: string }
  /** Seconds to wait for a new key to be accepted. @default 0 */
  waitSeconds?: number
}

export interface Sent {
  /** Sent as `Authorization: Bearer …`. */
  token?: string
  method?: string
  /** Behind the address of the endpoint. */
  query?: string
  /** More headers. */
  headers?: readonly (readonly [string, string])[]
  body?: string
  /** @default the handshake of 2025-11-25, which every server answers */
  era?: 'legacy' | 'modern'
  /** @default a request that needs no session */
  rpc?: string
}

export interface Lab {
  target: Required<Omit<Target, 'origin' | 'other'>> & Pick<Target, 'origin' | 'other'>
  issuer: Issuer
  /** A valid token of this server, unless the options say otherwise. */
  token(options?: TokenOptions): string
  /** An opaque token, of which the issuer says this besides what is right for this server. */
  opaqueToken(said?: object): string
  send(sent?: Sent): Promise<Answer>
  /** A document of the server. */
  get(url: URL, headers?: Sent['headers']): Promise<Answer>
  challengeOf(answer: Answer): Challenge | undefined
  /** All tokens that were sent. */
  tokens: readonly string[]
  /** All answers. */
  answers: readonly Answer[]
  close(): void
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const MODERN = '2026-07-28'

export function createLab(target: Target, issuer: Issuer): Lab {
  const client = createHttpClient()
  const complete = {
    audience: target.url,
    scopes: [],
    pinned: false,
    introspects: false,
    dpop: false,
    waitSeconds: 0,
    ...target,
  }
  const tokens: string[] = []
  const answers: Answer[] = []
  const endpoint = new URL(target.url)

  async function send({ query = '', method = 'POST', ...sent }: Sent = {}): Promise<Answer> {
    const { token, headers = [], era = 'legacy', rpc, body } = sent
    const url = new URL(endpoint)
    url.search = query
    const hasBody = method === 'POST' || method === 'PUT'
    const more = hasBody ? messageOf(era, rpc) : { headers: [], body: undefined }
    const answer = await client.send(url, {
      method,
      headers: [
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ['Accept', 'application/json, text/event-stream'],
        ...more.headers.filter(
          ([name]) => !headers.some(([other]) => other.toLowerCase() === name.toLowerCase()),
        ),
        ...headers,
      ],
      ...(hasBody && { body: body ?? more.body }),
    })
    answers.push(answer)
    return answer
  }

  function claims(): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: issuer.url,
      aud: complete.audience,
      sub: 'ada',
      client_id: 'authorization-suite',
      iat: now,
      exp: now + 300,
      jti: randomUUID(),
      ...(complete.scopes.length > 0 && { scope: complete.scopes.join(' ') }),
    }
  }

  return {
    target: complete,
    issuer,
    token({ key = issuer.key, ...options } = {}) {
      const token = tokenOf(key, claims(), options)
      tokens.push(token)
      return token
    },
    opaqueToken(said = {}) {
      const token = `opaque_${randomUUID()}`
      issuer.opaque.set(token, { active: true, ...claims(), ...said })
      tokens.push(token)
      return token
    },
    send,
    async get(url, headers = []) {
      const answer = await client.send(url, {
        method: 'GET',
        headers: [['Accept', 'application/json'], ...headers],
      })
      answers.push(answer)
      return answer
    },
    challengeOf: ({ headers }) => bearerChallenge(headers),
    tokens,
    answers,
    close: () => client.close(),
  }
}

function messageOf(era: 'legacy' | 'modern', rpc?: string) {
  const clientInfo = { name: 'authorization-suite', version: '1.0.0' }
  const json = ['Content-Type', 'application/json'] as const
  if (era === 'legacy') {
    const method = rpc ?? 'initialize'
    const params =
      method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } : {}
    return {
      headers: [json, ['MCP-Protocol-Version', '2025-11-25'] as const],
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }
  }
  const method = rpc ?? 'server/discover'
  const _meta = {
    [VERSION]: MODERN,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    headers: [json, ['MCP-Protocol-Version', MODERN] as const, ['Mcp-Method', method] as const],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } }),
  }
}

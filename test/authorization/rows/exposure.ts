/** What others learn: of tools without a token, of tokens by answers, and what pages in a browser may do. */
import { answers, isServed, seenOf } from '../expectations.ts'
import type { Answer } from '../http-client.ts'
import type { Lab } from '../lab.ts'
import { all, CONSIDERATIONS, fail, rfc, type Row, TRANSPORT, untestable, verdict } from '../row.ts'

const FETCH = 'https://fetch.spec.whatwg.org/#cors-preflight-fetch'
const FOREIGN = 'https://evil.example'

/** Names of the tools, for a caller with a token. */
async function toolsOf(lab: Lab): Promise<string[]> {
  const found: string[] = []
  for (const era of ['modern', 'legacy'] as const) {
    const { text } = await lab.send({ token: lab.token(), era, rpc: 'tools/list' })
    for (const [, name = ''] of text.matchAll(/"name"\s*:\s*"([^"]+)"/g)) found.push(name)
    if (found.length > 0) break
  }
  return found
}

const preflight = (lab: Lab, origin: string): Promise<Answer> =>
  lab.send({
    method: 'OPTIONS',
    headers: [
      ['Origin', origin],
      ['Access-Control-Request-Method', 'POST'],
      ['Access-Control-Request-Headers', 'authorization,content-type,mcp-protocol-version'],
    ],
  })

export const exposure: readonly Row[] = [
  {
    id: 'exposure.tools',
    level: 'MUST',
    sentence:
      'MCP servers MUST take all necessary steps to ensure no data is returned to unauthorized parties.',
    source: `${CONSIDERATIONS}#access-token-privilege-restriction`,
    async check(lab) {
      const names = await toolsOf(lab)
      if (names.length === 0) return untestable('tools/list without a session names no tool')
      const findings = []
      for (const era of ['modern', 'legacy'] as const) {
        for (const token of [undefined, lab.token({ key: lab.issuer.stranger })]) {
          const answer = await lab.send({
            era,
            rpc: 'tools/list',
            ...(token !== undefined && { token }),
          })
          const named = names.filter((name) => answer.text.includes(`"${name}"`))
          const what = `${era}, ${token === undefined ? 'no token' : 'a forged token'}`
          findings.push(verdict(answer.status === 401 && named.length === 0, seenOf(answer, what)))
        }
      }
      return all(findings)
    },
  },
  {
    id: 'exposure.shared-caches',
    level: 'MUST',
    sentence:
      'A shared cache MUST NOT use a cached response to a request with an Authorization header field to satisfy any subsequent request unless the response contains a Cache-Control field with a response directive that allows it to be stored by a shared cache. (So the server must not allow it.)',
    source: rfc(9111, '3.5'),
    async check(lab) {
      const { headers } = await lab.send({ token: lab.token(), rpc: 'tools/list' })
      const value = headers.get('cache-control') ?? ''
      return verdict(
        !/\b(public|s-maxage|must-revalidate)\b/i.test(value),
        value || 'no Cache-Control',
      )
    },
  },
  {
    id: 'exposure.encrypted-transport',
    level: 'MUST',
    sentence:
      'Clients MUST always use TLS (https) or equivalent transport security when making requests with bearer tokens. (On this machine it is not needed.)',
    source: rfc(6750, '5.3'),
    check({ target }) {
      const { protocol, hostname } = new URL(target.url)
      if (protocol === 'https:') return verdict(true, target.url)
      return /^(localhost|127\.|\[::1\])/.test(hostname)
        ? untestable('a loopback address')
        : fail(`${protocol}//${hostname}`)
    },
  },
  {
    id: 'exposure.not-passed-through',
    level: 'MUST',
    sentence: 'The MCP server MUST NOT pass through the token it received from the MCP client.',
    source: `${CONSIDERATIONS}#access-token-privilege-restriction`,
    check: () => untestable('what a server sends to other APIs is not visible from outside'),
  },
  {
    id: 'exposure.token-storage',
    level: 'MUST',
    sentence:
      'Clients and servers MUST implement secure token storage and follow OAuth best practices.',
    source: `${CONSIDERATIONS}#token-theft`,
    check: () => untestable('what a server stores and logs is not visible from outside'),
  },
  {
    id: 'browser.foreign-origin',
    level: 'MUST',
    sentence:
      'If the Origin header is present and invalid, servers MUST respond with HTTP 403 Forbidden.',
    source: `${TRANSPORT}#security-warning`,
    check: (lab) => answers(lab, { token: lab.token(), headers: [['Origin', FOREIGN]] }, [403]),
  },
  {
    id: 'browser.foreign-preflight',
    level: 'MUST',
    sentence: 'Servers MUST validate the Origin header on all incoming connections.',
    source: `${TRANSPORT}#security-warning`,
    async check(lab) {
      const answer = await preflight(lab, FOREIGN)
      const allowed = answer.headers.get('access-control-allow-origin')
      return verdict(
        allowed !== FOREIGN && allowed !== '*',
        `${seenOf(answer)}, allows ${allowed ?? 'no origin'}`,
      )
    },
  },
  {
    id: 'browser.preflight',
    level: 'SHOULD',
    sentence:
      'A CORS-preflight request never includes credentials. (So a server that serves pages must answer it without a token, and allow the header Authorization.)',
    source: FETCH,
    async check(lab) {
      const { origin } = lab.target
      if (origin === undefined) return untestable('no page is allowed (--origin)')
      const answer = await preflight(lab, origin)
      const headers = answer.headers.get('access-control-allow-headers') ?? ''
      return verdict(
        isServed(answer) && /\bauthorization\b/i.test(headers),
        `${seenOf(answer)}, allows ${headers || 'no header'}`,
      )
    },
  },
  {
    id: 'browser.challenge-is-readable',
    level: 'SHOULD',
    sentence:
      'MCP clients MUST be able to parse WWW-Authenticate headers. (A page can only if the response allows its origin and exposes the header.)',
    source: 'https://fetch.spec.whatwg.org/#http-access-control-expose-headers',
    async check(lab) {
      const { origin } = lab.target
      if (origin === undefined) return untestable('no page is allowed (--origin)')
      const { headers } = await lab.send({ headers: [['Origin', origin]] })
      const allowed = headers.get('access-control-allow-origin') ?? ''
      const exposed = headers.get('access-control-expose-headers') ?? ''
      return verdict(
        [origin, '*'].includes(allowed) && /www-authenticate|^\*$/i.test(exposed),
        `allows ${allowed || 'no origin'}, exposes ${exposed || 'nothing'}`,
      )
    },
  },
  // The last row: it reads all answers before it.
  {
    id: 'exposure.tokens',
    level: 'MUST',
    sentence:
      'MCP servers MUST NOT accept or transit any other tokens. (No answer repeats a token.)',
    source: `${CONSIDERATIONS}#token-theft`,
    check(lab) {
      const parts = new Set(
        lab.tokens.flatMap((token) => token.split('.').slice(1)).filter((part) => part.length > 20),
      )
      const repeated = lab.answers.filter(({ text, headers }) => {
        const all_ = text + JSON.stringify([...headers])
        return [...parts].some((part) => all_.includes(part))
      })
      return verdict(
        repeated.length === 0,
        `${repeated.length} of ${lab.answers.length} answers contain a token that was sent`,
      )
    },
  },
]

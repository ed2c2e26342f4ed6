/** How a token is sent, and which requests need one. */
import { accepted, answers, isServed, seenOf } from '../expectations.ts'
import type { Sent } from '../lab.ts'
import { all, CONSIDERATIONS, MCP, PRACTICES, rfc, type Row, untestable, verdict } from '../row.ts'

const authorization = (value: string) => ['Authorization', value] as const
const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const

export const requests: readonly Row[] = [
  {
    id: 'request.valid-token',
    level: 'MUST',
    sentence:
      'MCP servers MUST only accept tokens that are valid for use with their own resources.',
    source: `${MCP}#token-handling`,
    check: (lab) => accepted(lab, { token: lab.token() }),
  },
  {
    id: 'request.valid-token-2026-07-28',
    level: 'MUST',
    sentence:
      'Access token handling when making requests to MCP servers MUST conform to the requirements defined in OAuth 2.1 Section 5.',
    source: `${MCP}#token-requirements`,
    async check(lab) {
      const answer = await lab.send({ token: lab.token(), era: 'modern' })
      if (answer.status === 400 || answer.status === 404) {
        return untestable(`the server does not serve 2026-07-28 (${answer.status})`)
      }
      return verdict(isServed(answer), seenOf(answer))
    },
  },
  {
    id: 'request.scheme-case',
    level: 'MUST',
    sentence:
      'HTTP provides a general framework for access control and authentication, via a set of challenge-response authentication schemes; it uses a case-insensitive token to identify the authentication scheme.',
    source: rfc(9110, '11.1'),
    async check(lab) {
      const findings = []
      for (const scheme of ['bearer', 'BEARER']) {
        const headers = [authorization(`${scheme} ${lab.token()}`)]
        findings.push(await accepted(lab, { headers }, scheme))
      }
      return all(findings)
    },
  },
  {
    id: 'request.other-schemes',
    level: 'MUST',
    sentence:
      'MCP client MUST use the Authorization request header field defined in OAuth 2.1 Section 5.1.1: Authorization: Bearer <access-token>.',
    source: `${MCP}#token-requirements`,
    async check(lab) {
      const token = lab.token()
      const basic = Buffer.from(`ada:${token}`).toString('base64')
      const findings = []
      for (const value of [`Basic ${basic}`, `Token ${token}`, token, `"Bearer" ${token}`]) {
        const what = value === token ? 'no scheme' : (value.split(' ')[0] ?? '')
        findings.push(await answers(lab, { headers: [authorization(value)] }, [400, 401], what))
      }
      return all(findings)
    },
  },
  {
    id: 'request.malformed',
    level: 'MUST',
    sentence:
      'Servers MUST return appropriate HTTP status codes for authorization errors: 400 Bad Request, malformed authorization request.',
    source: `${MCP}#error-handling`,
    async check(lab) {
      const findings = []
      for (const [what, value] of [
        ['no token', 'Bearer'],
        ['two tokens', `Bearer ${lab.token()} ${lab.token()}`],
        ['not a token', 'Bearer {"token":1}'],
      ] as const) {
        findings.push(await answers(lab, { headers: [authorization(value)] }, [400], what))
      }
      return all(findings)
    },
  },
  {
    id: 'request.two-headers',
    level: 'SHOULD',
    sentence:
      'invalid_request: The request repeats the same parameter, uses more than one method for including an access token, or is otherwise malformed. The resource server SHOULD respond with the HTTP 400 (Bad Request) status code.',
    source: rfc(6750, '3.1'),
    async check(lab) {
      const good = authorization(`Bearer ${lab.token()}`)
      const bad = authorization(`Bearer ${lab.token({ key: lab.issuer.stranger })}`)
      return all([
        await answers(lab, { headers: [good, bad] }, [400], 'valid, then invalid'),
        await answers(lab, { headers: [bad, good] }, [400], 'invalid, then valid'),
      ])
    },
  },
  {
    id: 'request.not-in-query',
    level: 'MUST',
    sentence: 'Access tokens MUST NOT be included in the URI query string.',
    source: `${MCP}#token-requirements`,
    async check(lab) {
      const findings = []
      for (const name of ['access_token', 'token', 'authorization']) {
        const sent: Sent = { query: `${name}=${lab.token()}` }
        findings.push(await answers(lab, sent, [400, 401], name))
      }
      return all(findings)
    },
  },
  {
    id: 'request.query-and-header',
    level: 'SHOULD',
    sentence:
      'invalid_request: The request … uses more than one method for including an access token. The resource server SHOULD respond with the HTTP 400 (Bad Request) status code.',
    source: rfc(6750, '3.1'),
    check: (lab) => {
      const token = lab.token()
      return answers(lab, { token, query: `access_token=${token}` }, [400])
    },
  },
  {
    id: 'request.not-in-body',
    level: 'MUST',
    sentence: 'MCP client MUST use the Authorization request header field.',
    source: `${MCP}#token-requirements`,
    check: (lab) =>
      answers(lab, { headers: [form], body: `access_token=${lab.token()}` }, [400, 401, 415]),
  },
  {
    id: 'request.not-in-cookie',
    level: 'MUST',
    sentence: 'MCP client MUST use the Authorization request header field.',
    source: `${MCP}#token-requirements`,
    async check(lab) {
      const token = lab.token()
      const cookie = `access_token=${token}; token=${token}; Authorization=Bearer ${token}`
      return answers(lab, { headers: [['Cookie', cookie]] }, [401])
    },
  },
  {
    id: 'request.checked-first',
    level: 'MUST',
    sentence: 'MCP servers MUST validate access tokens before processing the request.',
    source: `${CONSIDERATIONS}#access-token-privilege-restriction`,
    check: async (lab) =>
      all([
        await answers(lab, { body: '{"jsonrpc":' }, [401], 'not JSON'),
        await answers(lab, { rpc: 'no/such-method' }, [401], 'unknown method'),
      ]),
  },
  {
    id: 'request.every-request',
    level: 'MUST',
    sentence:
      'Note that authorization MUST be included in every HTTP request from client to server.',
    source: `${MCP}#token-requirements`,
    async check(lab) {
      const before = await accepted(lab, { token: lab.token() }, 'with a token')
      const after = await answers(lab, {}, [401], 'then, on the same connection, without')
      return all([before, after])
    },
  },
  {
    id: 'request.session-is-no-token',
    level: 'MUST',
    sentence: 'MCP Servers MUST NOT use sessions for authentication.',
    source: `${PRACTICES}#session-hijacking`,
    async check(lab) {
      const opened = await lab.send({ token: lab.token() })
      const session = opened.headers.get('mcp-session-id')
      const cookies = opened.headers.getSetCookie().map((line) => line.split(';')[0])
      const headers = [
        ['Mcp-Session-Id', session ?? '00000000-0000-0000-0000-000000000000'] as const,
        ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : []),
      ]
      const what = session === null ? 'invented session' : 'session of another request'
      return all([
        await answers(lab, { headers, rpc: 'tools/list' }, [401], what),
        await answers(lab, { headers, method: 'DELETE' }, [401, 404, 405], 'DELETE'),
      ])
    },
  },
  {
    id: 'request.session-of-another-user',
    level: 'SHOULD',
    sentence: 'MCP servers SHOULD bind session IDs to user-specific information.',
    source: `${PRACTICES}#session-hijacking`,
    async check(lab) {
      const opened = await lab.send({ token: lab.token() })
      const session = opened.headers.get('mcp-session-id')
      if (session === null) return untestable('the server has no sessions')
      const token = lab.token({ claims: { sub: 'eve', client_id: 'another' } })
      const headers = [['Mcp-Session-Id', session] as const]
      return answers(lab, { token, headers, rpc: 'tools/list' }, [400, 401, 403, 404])
    },
  },
]

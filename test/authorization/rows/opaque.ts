/** Opaque tokens, about which the server asks the authorization server. */
import { accepted, answers, now } from '../expectations.ts'
import type { Lab } from '../lab.ts'
import { all, type Finding, MCP, rfc, type Row, untestable, verdict } from '../row.ts'

/** Where the server asks. */
const introspecting = (check: (lab: Lab) => Promise<Finding>): Row['check'] => {
  return (lab) =>
    lab.target.introspects
      ? check(lab)
      : untestable('the server does not ask about opaque tokens (--introspects)')
}

async function refusedAll(lab: Lab, said: Readonly<Record<string, object>>): Promise<Finding> {
  const findings: Finding[] = []
  for (const [what, each] of Object.entries(said))
    findings.push(await answers(lab, { token: lab.opaqueToken(each) }, [401], what))
  return all(findings)
}

export const opaque: readonly Row[] = [
  {
    id: 'introspection.active',
    level: 'MUST',
    sentence:
      'This specification defines a protocol that allows authorized protected resources to query the authorization server to determine the set of metadata for a given token that was presented to them by an OAuth 2.0 client. (An active token is accepted.)',
    source: rfc(7662, '1'),
    check: introspecting((lab) => accepted(lab, { token: lab.opaqueToken() })),
  },
  {
    id: 'introspection.not-active',
    level: 'MUST',
    sentence:
      'active: REQUIRED. Boolean indicator of whether or not the presented token is currently active.',
    source: rfc(7662, '2.2'),
    check: introspecting(async (lab) =>
      all([
        await answers(lab, { token: `opaque_unknown_${now()}` }, [401], 'an unknown token'),
        await refusedAll(lab, {
          'not active': { active: false },
          'without a word about it': { active: undefined },
          'active as a text': { active: 'true' },
          'active as a number': { active: 1 },
        }),
      ]),
    ),
  },
  {
    id: 'introspection.audience',
    level: 'MUST',
    sentence:
      'MCP servers MUST validate that access tokens were issued specifically for them as the intended audience.',
    source: `${MCP}#token-handling`,
    check: introspecting((lab) =>
      refusedAll(lab, {
        'another audience': { aud: 'https://other.example/mcp' },
        'no audience': { aud: undefined },
        'another issuer': { iss: 'https://other.example' },
      }),
    ),
  },
  {
    id: 'introspection.times',
    level: 'MUST',
    sentence:
      'The "exp" (expiration time) claim identifies the expiration time on or after which the JWT MUST NOT be accepted for processing. (RFC 7662 defines exp and nbf of a response by this.)',
    source: rfc(7519, '4.1.4'),
    check: introspecting((lab) =>
      refusedAll(lab, {
        expired: { exp: now() - 600 },
        'not valid yet': { nbf: now() + 600 },
      }),
    ),
  },
  {
    id: 'introspection.scope',
    level: 'MUST',
    sentence:
      'Servers MUST return appropriate HTTP status codes for authorization errors: 403 Forbidden, invalid scopes or insufficient permissions.',
    source: `${MCP}#error-handling`,
    check: introspecting(async (lab) => {
      if (lab.target.scopes.length === 0) return untestable('the server needs no scope (--scope)')
      return answers(lab, { token: lab.opaqueToken({ scope: 'unrelated' }) }, [403])
    }),
  },
  {
    id: 'introspection.request',
    level: 'MUST',
    sentence:
      'The protected resource calls the introspection endpoint using an HTTP POST request with parameters sent as "application/x-www-form-urlencoded" data; the endpoint MUST also require some form of authorization to access this endpoint.',
    source: rfc(7662, '2.1'),
    check: introspecting(async (lab) => {
      const token = lab.opaqueToken()
      await lab.send({ token })
      const seen = lab.issuer.introspections.filter((each) => each.token === token)
      const isRight = seen.every(
        ({ method, type, isAuthenticated }) =>
          method === 'POST' &&
          /^application\/x-www-form-urlencoded\b/i.test(type) &&
          isAuthenticated,
      )
      return verdict(
        seen.length > 0 && isRight,
        JSON.stringify(seen.map(({ method, type }) => [method, type])),
      )
    }),
  },
  {
    id: 'introspection.outage',
    level: 'MUST',
    sentence:
      'The resource server MUST validate the access token and ensure that it has not expired and that its scope covers the requested resource. (Without an answer, no token is accepted.)',
    source: rfc(6749, '7'),
    check: introspecting(async (lab) => {
      const token = lab.opaqueToken()
      lab.issuer.isDown = true
      try {
        return await answers(lab, { token }, [401, 500, 502, 503])
      } finally {
        lab.issuer.isDown = false
      }
    }),
  },
]

/** The answer to a request without a usable token. */
import { parameterOf, parseChallenges } from '../challenge-header.ts'
import { answers, now, seenOf } from '../expectations.ts'
import type { Lab } from '../lab.ts'
import {
  all,
  CONSIDERATIONS,
  DISCOVERY,
  fail,
  MCP,
  pass,
  rfc,
  type Row,
  untestable,
  verdict,
} from '../row.ts'

const challengeSeen = (value: string | null) => value ?? 'no WWW-Authenticate'

/** The header of a request without a token, and of one whose token has expired. */
async function challengesOf(lab: Lab) {
  const bare = await lab.send()
  const expired = await lab.send({ token: lab.token({ claims: { exp: now() - 3600 } }) })
  return [bare, expired]
}

const CHARACTERS = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/

export const challenges: readonly Row[] = [
  {
    id: 'challenge.missing-token',
    level: 'MUST',
    sentence:
      'Servers MUST return appropriate HTTP status codes for authorization errors: 401 Unauthorized, authorization required or token invalid.',
    source: `${MCP}#error-handling`,
    check: (lab) => answers(lab, {}, [401]),
  },
  {
    id: 'challenge.missing-token-2026-07-28',
    level: 'MUST',
    sentence:
      'Note that authorization MUST be included in every HTTP request from client to server.',
    source: `${MCP}#token-requirements`,
    check: (lab) => answers(lab, { era: 'modern' }, [401]),
  },
  {
    id: 'challenge.header',
    level: 'MUST',
    sentence:
      'If the protected resource request does not include authentication credentials or does not contain an access token that enables access to the protected resource, the resource server MUST include the HTTP "WWW-Authenticate" response header field.',
    source: rfc(6750, '3'),
    async check(lab) {
      const found = (await challengesOf(lab)).map(({ headers }) => headers.get('www-authenticate'))
      return verdict(!found.includes(null), found.map(challengeSeen).join(' | '))
    },
  },
  {
    id: 'challenge.bearer-with-parameters',
    level: 'MUST',
    sentence:
      'All challenges defined by this specification MUST use the auth-scheme value "Bearer". This scheme MUST be followed by one or more auth-param values.',
    source: rfc(6750, '3'),
    async check(lab) {
      const answer = await lab.send()
      const value = answer.headers.get('www-authenticate')
      const parameters = lab.challengeOf(answer)?.parameters ?? []
      return verdict(parameters.length > 0, challengeSeen(value))
    },
  },
  {
    id: 'challenge.no-repeated-parameter',
    level: 'MUST',
    sentence: 'The "scope" attribute MUST NOT appear more than once.',
    source: rfc(6750, '3'),
    async check(lab) {
      for (const { headers } of await challengesOf(lab)) {
        const value = headers.get('www-authenticate')
        const read = parseChallenges(value ?? '')
        if (!read || read.length === 0) return fail(`not readable: ${challengeSeen(value)}`)
        for (const { parameters } of read) {
          const names = parameters.map(([name]) => name)
          if (new Set(names).size < names.length) return fail(challengeSeen(value))
        }
      }
      return pass('each parameter once')
    },
  },
  {
    id: 'challenge.characters',
    level: 'MUST',
    sentence:
      'Values for the "error" and "error_description" attributes MUST NOT include characters outside the set %x20-21 / %x23-5B / %x5D-7E. Values for the "scope" attribute MUST NOT include characters outside the set %x21 / %x23-5B / %x5D-7E for representing scope values and %x20 for delimiters between scope values.',
    source: rfc(6750, '3'),
    async check(lab) {
      const odd = [['Authorization', 'Bearer a"b\\c,error="x"'] as const]
      for (const answer of [...(await challengesOf(lab)), await lab.send({ headers: odd })]) {
        const parameters = lab.challengeOf(answer)?.parameters
        if (!parameters) return fail(challengeSeen(answer.headers.get('www-authenticate')))
        for (const [name, value] of parameters) {
          const allowed = name === 'scope' ? SCOPES : CHARACTERS
          const isChecked = ['scope', 'error', 'error_description'].includes(name)
          if (isChecked && !allowed.test(value)) return fail(`${name}="${value}"`)
        }
      }
      return pass('allowed characters only')
    },
  },
  {
    id: 'challenge.no-error-without-token',
    level: 'SHOULD',
    sentence:
      'If the request lacks any authentication information, the resource server SHOULD NOT include an error code or other error information.',
    source: rfc(6750, '3.1'),
    async check(lab) {
      const challenge = lab.challengeOf(await lab.send())
      if (!challenge) return fail('no challenge')
      const error = parameterOf(challenge, 'error')
      return verdict(error === undefined, error === undefined ? 'no error' : `error="${error}"`)
    },
  },
  {
    id: 'challenge.invalid-token-error',
    level: 'SHOULD',
    sentence:
      'If the protected resource request included an access token and failed authentication, the resource server SHOULD include the "error" attribute (invalid_token: the access token provided is expired, revoked, malformed, or invalid for other reasons).',
    source: rfc(6750, '3'),
    async check(lab) {
      const answer = await lab.send({ token: lab.token({ claims: { exp: now() - 3600 } }) })
      const error = parameterOf(lab.challengeOf(answer), 'error')
      return verdict(error === 'invalid_token', `${answer.status}, error="${error ?? ''}"`)
    },
  },
  {
    id: 'challenge.scope',
    level: 'SHOULD',
    sentence:
      'MCP servers SHOULD include a scope parameter in the WWW-Authenticate header to indicate the scopes required for accessing the resource.',
    source: `${MCP}#scope-selection-strategy`,
    async check(lab) {
      if (lab.target.scopes.length === 0) return untestable('the server needs no scope (--scope)')
      const answer = await lab.send()
      const scope = parameterOf(lab.challengeOf(answer), 'scope')
      const named = scope?.split(' ') ?? []
      return verdict(
        lab.target.scopes.every((needed) => named.includes(needed)),
        scope === undefined ? 'no scope' : `scope="${scope}"`,
      )
    },
  },
  {
    id: 'challenge.no-offline-access',
    level: 'SHOULD',
    sentence:
      'MCP Servers (Protected Resources) SHOULD NOT include offline_access in WWW-Authenticate scope or Protected Resource Metadata scopes_supported.',
    source: `${MCP}#refresh-tokens`,
    async check(lab) {
      const found = (await challengesOf(lab)).map(({ headers }) => headers.get('www-authenticate'))
      return verdict(!found.join().includes('offline_access'), 'WWW-Authenticate')
    },
  },
  {
    id: 'challenge.resource-metadata',
    level: 'SHOULD',
    sentence:
      'WWW-Authenticate Header: Include the resource metadata URL in the WWW-Authenticate HTTP header under resource_metadata when returning 401 Unauthorized responses. (One of two mechanisms, of which one is a MUST.)',
    source: `${DISCOVERY}#protected-resource-metadata-discovery-requirements`,
    async check(lab) {
      const found = (await challengesOf(lab)).map((answer) =>
        parameterOf(lab.challengeOf(answer), 'resource_metadata'),
      )
      return verdict(!found.includes(undefined), found.join(' | ') || 'no resource_metadata')
    },
  },
  {
    id: 'challenge.other-methods',
    level: 'MUST',
    sentence:
      'MCP servers MUST validate access tokens before processing the request, and take all necessary steps to ensure no data is returned to unauthorized parties.',
    source: `${CONSIDERATIONS}#access-token-privilege-restriction`,
    async check(lab) {
      const findings = []
      for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']) {
        const answer = await lab.send({ method })
        const isEmpty =
          answer.text === '' && !/event-stream/.test(answer.headers.get('content-type') ?? '')
        const isOptions = method === 'OPTIONS' && isEmpty
        findings.push(verdict(answer.status >= 400 || isOptions, seenOf(answer, method)))
      }
      return all(findings)
    },
  },
]

/** What a token says: every token here has a valid signature. */
import { accepted, allRefused, now, refused } from '../expectations.ts'
import { all, MCP, rfc, type Row, untestable } from '../row.ts'

const NO_OTHER = untestable('the server trusts no second issuer (--other-audience)')
const JWT_PROFILE = rfc(9068, '4')

export const claims: readonly Row[] = [
  {
    id: 'token.expired',
    level: 'MUST',
    sentence: 'Invalid or expired tokens MUST receive a HTTP 401 response.',
    source: `${MCP}#token-handling`,
    check: (lab) => refused(lab, { claims: { exp: now() - 3600 } }),
  },
  {
    id: 'token.small-leeway',
    level: 'MUST',
    sentence:
      'The current time MUST be before the time represented by the "exp" claim. Implementers MAY provide for some small leeway, usually no more than a few minutes, to account for clock skew.',
    source: JWT_PROFILE,
    check: (lab) => refused(lab, { claims: { exp: now() - 310 } }, 'expired 310 s ago'),
  },
  {
    id: 'token.expiry-required',
    level: 'MUST',
    sentence:
      'The following claims are used in the JWT access token data structure: exp REQUIRED. Its value MUST be a number containing a NumericDate value.',
    source: rfc(9068, '2.2'),
    check: (lab) =>
      allRefused(lab, {
        'no exp': { claims: { exp: undefined } },
        'a string': { claims: { exp: String(now() + 300) } },
        null: { claims: { exp: null } },
        negative: { claims: { exp: -1 } },
      }),
  },
  {
    id: 'token.not-before',
    level: 'MUST',
    sentence:
      'The "nbf" (not before) claim identifies the time before which the JWT MUST NOT be accepted for processing.',
    source: rfc(7519, '4.1.5'),
    check: (lab) => refused(lab, { claims: { nbf: now() + 3600 } }),
  },
  {
    id: 'token.audience',
    level: 'MUST',
    sentence:
      'MCP servers MUST validate that access tokens were issued specifically for them as the intended audience, according to RFC 8707 Section 2.',
    source: `${MCP}#token-handling`,
    check: (lab) => refused(lab, { claims: { aud: 'https://other.example/mcp' } }),
  },
  {
    id: 'token.audience-required',
    level: 'MUST',
    sentence:
      'MCP servers MUST reject tokens that do not include them in the audience claim or otherwise verify that they are the intended recipient of the token.',
    source: `${MCP}/security-considerations#access-token-privilege-restriction`,
    check: (lab) =>
      allRefused(lab, {
        'no aud': { claims: { aud: undefined } },
        'an empty list': { claims: { aud: [] } },
        'an empty string': { claims: { aud: '' } },
        'an object': { claims: { aud: { 0: lab.target.audience } } },
      }),
  },
  {
    id: 'token.audience-exact',
    level: 'MUST',
    sentence:
      'The JWT access token MUST be rejected if "aud" does not contain a resource indicator of the current resource server as a valid audience.',
    source: JWT_PROFILE,
    check: (lab) => {
      const { audience } = lab.target
      return allRefused(lab, {
        'longer path': { claims: { aud: `${audience}/other` } },
        'longer name': { claims: { aud: `${audience}x` } },
        'a part': { claims: { aud: audience.slice(0, -1) } },
        'in a query': { claims: { aud: `https://other.example/?${audience}` } },
        'own after a space': { claims: { aud: `https://other.example ${audience}` } },
      })
    },
  },
  {
    id: 'token.audience-list',
    level: 'MUST',
    sentence:
      'The "aud" value is an array of case-sensitive strings. Each principal intended to process the JWT MUST identify itself with a value in the audience claim.',
    source: rfc(7519, '4.1.3'),
    check: async (lab) => {
      const { audience } = lab.target
      const two = lab.token({ claims: { aud: ['https://other.example', audience] } })
      return all([
        await accepted(lab, { token: two }, 'own among others'),
        await refused(lab, { claims: { aud: ['https://other.example'] } }, 'others only'),
      ])
    },
  },
  {
    id: 'token.audience-upper-case',
    level: 'SHOULD',
    sentence:
      'While the canonical form uses lowercase scheme and host components, implementations SHOULD accept uppercase scheme and host components for robustness and interoperability.',
    source: `${MCP}#canonical-server-uri`,
    check: (lab) => {
      const aud = lab.target.audience.replace(/^[^/]+\/\/[^/]+/, (origin) => origin.toUpperCase())
      return accepted(lab, { token: lab.token({ claims: { aud } }) }, aud)
    },
  },
  {
    id: 'token.issuer',
    level: 'MUST',
    sentence:
      'The issuer identifier for the authorization server (which is typically obtained during discovery) MUST exactly match the value of the "iss" claim.',
    source: JWT_PROFILE,
    check: (lab) =>
      allRefused(lab, {
        another: { claims: { iss: 'https://issuer.example' } },
        'none at all': { claims: { iss: undefined } },
        'a slash more': { claims: { iss: `${lab.issuer.url}/` } },
        'in upper case': { claims: { iss: lab.issuer.url.toUpperCase() } },
        'a list': { claims: { iss: [lab.issuer.url] } },
      }),
  },
  {
    id: 'token.repeated-claims',
    level: 'MUST',
    sentence:
      'JWT parsers MUST either reject JWTs with duplicate Claim Names or use a JSON parser that returns only the lexically last duplicate member name.',
    source: rfc(7519, '4'),
    check: (lab) => {
      const { audience } = lab.target
      const time = now()
      const text = (first: string, last: string) =>
        `{"iss":"${lab.issuer.url}","sub":"ada","iat":${time},"client_id":"x","scope":"${lab.target.scopes.join(' ')}",${first},${last}}`
      const aud = (value: string) => `"aud":"${value}"`
      return allRefused(lab, {
        'exp, the last in the past': {
          text: text(`${aud(audience)},"exp":${time + 300}`, `"exp":${time - 3600}`),
        },
        'aud, the last of another server': {
          text: text(`"exp":${time + 300},${aud(audience)}`, aud('https://other.example')),
        },
      })
    },
  },
  {
    id: 'token.other-kinds',
    level: 'MUST',
    sentence:
      'If more than one kind of JWT can be issued by the same issuer, the validation rules for those JWTs MUST be written such that they are mutually exclusive, rejecting JWTs of the wrong kind.',
    source: rfc(8725, '3.12'),
    check: (lab) =>
      allRefused(lab, {
        'logout+jwt': { header: { typ: 'logout+jwt' } },
        'secevent+jwt': { header: { typ: 'secevent+jwt' } },
        'dpop+jwt': { header: { typ: 'dpop+jwt' } },
      }),
  },
  {
    id: 'token.id-token',
    level: 'MUST',
    sentence:
      'If more than one kind of JWT can be issued by the same issuer, the validation rules for those JWTs MUST be written such that they are mutually exclusive, rejecting JWTs of the wrong kind. (ID tokens, as far as they differ from access tokens.)',
    source: rfc(8725, '3.12'),
    check: (lab) => {
      const idToken = (claims: object) => ({ header: { typ: 'JWT' }, claims: { ...claims } })
      return allRefused(lab, {
        'of OpenID Connect': idToken({ nonce: 'n-0S6_WzA2Mj', at_hash: '77Qm', auth_time: 1 }),
        'without a nonce': idToken({ at_hash: '77QmUPtjPfzWtF2AnpK9RQ' }),
        'beside a code': idToken({ c_hash: 'LDktKdoQak3Pk0cnXxCltA' }),
        'of Keycloak': idToken({ typ: 'ID', azp: 'suite', sid: 'x' }),
        'of Amazon Cognito': idToken({ token_use: 'id', 'cognito:username': 'ada' }),
      })
    },
  },
  {
    id: 'token.audience-of-other-issuer',
    level: 'MUST',
    sentence:
      'The resource server MUST validate that the "aud" claim contains a resource indicator value corresponding to an identifier the resource server expects for itself. (Here: from this issuer.)',
    source: rfc(9068, '4'),
    async check(lab) {
      const { other } = lab.target
      if (!other) return NO_OTHER
      const own = { iss: other.issuer.url, aud: other.audience }
      const { key } = other.issuer
      return all([
        await accepted(lab, { token: lab.token({ key, claims: own }) }, 'its own audience'),
        await refused(
          lab,
          { key, claims: { ...own, aud: lab.target.audience } },
          'the audience of the first issuer',
        ),
        await refused(lab, { claims: { aud: other.audience } }, 'the first issuer for it'),
      ])
    },
  },
  {
    id: 'token.bound-to-a-key',
    // A server that knows neither DPoP nor mutual TLS need not look.
    level: 'SHOULD',
    sentence:
      'Such a protected resource MUST reject a DPoP-bound access token received as a bearer token per RFC 6750.',
    source: rfc(9449, '7.2'),
    check: (lab) =>
      allRefused(lab, {
        'a key of DPoP': {
          claims: { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } },
        },
        'a certificate': {
          claims: { cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } },
        },
      }),
  },
  {
    id: 'token.critical-extension',
    level: 'MUST',
    sentence:
      'If any of the listed extension Header Parameters are not understood and supported by the recipient, then the JWS is invalid.',
    source: rfc(7515, '4.1.11'),
    check: (lab) =>
      refused(lab, { header: { crit: ['https://example.com/x'], 'https://example.com/x': 1 } }),
  },
  {
    id: 'token.not-an-object',
    level: 'MUST',
    sentence:
      'Verify that the resulting octet sequence is a UTF-8-encoded representation of a completely valid JSON object conforming to RFC 7159; let the JWT Claims Set be this JSON object.',
    source: rfc(7519, '7.2'),
    check: (lab) =>
      allRefused(lab, {
        'a list': { text: '[]' },
        null: { text: 'null' },
        'not JSON': { text: '{"iss":' },
      }),
  },
]

/** A key that an issuer does not have may use up a server's requests for its keys. */
export const foreignKeys: readonly Row[] = [
  {
    id: 'token.key-of-other-issuer',
    level: 'MUST',
    sentence:
      'When a JWT contains an "iss" (issuer) claim, the application MUST validate that the cryptographic keys used for the cryptographic operations in the JWT belong to the issuer.',
    source: rfc(8725, '3.8'),
    async check(lab) {
      const { other } = lab.target
      if (!other) return NO_OTHER
      const { key } = other.issuer
      const own = { iss: other.issuer.url, aud: other.audience }
      return all([
        await refused(lab, { key }, 'the first issuer, by a key of the other'),
        await refused(lab, { claims: own }, 'the other issuer, by a key of the first'),
      ])
    },
  },
]

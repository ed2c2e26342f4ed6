/** Tokens that are bound to a key of their client (DPoP). */
import { createHash, randomUUID } from 'node:crypto'
import { accepted, answers, now } from '../expectations.ts'
import type { Lab } from '../lab.ts'
import { all, type Finding, rfc, type Row, untestable, verdict } from '../row.ts'
import { createKey, type SigningKey, tokenOf } from '../tokens.ts'

/** Where the server takes such tokens. */
const bound = (check: (lab: Lab) => Promise<Finding>): Row['check'] => {
  return (lab) =>
    lab.target.dpop ? check(lab) : untestable('the server takes no such tokens (--dpop)')
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

interface Changes {
  /** @default the one that the token is bound to */
  by?: SigningKey
  header?: object
  claims?: object
}

/** A bound token and what is sent with it. */
function boundToken(lab: Lab) {
  const key = createKey('ES256')
  const { kty, crv, x, y } = key.publicJwk
  const jwk = { crv, kty, x, y }
  const token = lab.token({ claims: { cnf: { jkt: digest(JSON.stringify(jwk)) } } })
  const proof = ({ by = key, header, claims }: Changes = {}) => {
    const own = {
      kty: by.publicJwk['kty'],
      crv: by.publicJwk['crv'],
      x: by.publicJwk['x'],
      y: by.publicJwk['y'],
    }
    const said = {
      htm: 'POST',
      htu: lab.target.url,
      jti: randomUUID(),
      iat: now(),
      ath: digest(token),
    }
    const head = { typ: 'dpop+jwt', jwk: own, kid: undefined, ...header }
    return tokenOf(by, said, { header: head, claims: { ...claims } })
  }
  const sent = (text: string | undefined, scheme = 'DPoP') => ({
    headers: [
      ['Authorization', `${scheme} ${token}`] as const,
      ...(text === undefined ? [] : [['DPoP', text] as const]),
    ],
  })
  return { token, proof, sent }
}

async function refusedAll(lab: Lab, changes: Readonly<Record<string, Changes>>): Promise<Finding> {
  const findings: Finding[] = []
  for (const [what, each] of Object.entries(changes)) {
    const { proof, sent } = boundToken(lab)
    findings.push(await answers(lab, sent(proof(each)), [401], what))
  }
  return all(findings)
}

export const dpop: readonly Row[] = [
  {
    id: 'dpop.accepted',
    level: 'MUST',
    sentence:
      'For such an access token, a resource server MUST check that a DPoP proof was also received in the DPoP header field of the HTTP request, check the DPoP proof according to the rules in Section 4.3, and check that the public key of the DPoP proof matches the public key to which the access token is bound.',
    source: rfc(9449, '7.1'),
    check: bound(async (lab) => {
      const { proof, sent } = boundToken(lab)
      return all([
        await accepted(lab, sent(proof()), 'with its proof'),
        await answers(lab, sent(undefined), [401], 'without a proof'),
        await answers(lab, sent(proof({ by: createKey('ES256') })), [401], 'by another key'),
      ])
    }),
  },
  {
    id: 'dpop.not-as-bearer',
    level: 'MUST',
    sentence:
      'Such a protected resource MUST reject a DPoP-bound access token received as a bearer token per RFC 6750.',
    source: rfc(9449, '7.2'),
    check: bound(async (lab) => {
      const { proof, sent } = boundToken(lab)
      return all([
        await answers(lab, sent(undefined, 'Bearer'), [401], 'without a proof'),
        await answers(lab, sent(proof(), 'Bearer'), [401], 'with a proof'),
      ])
    }),
  },
  {
    id: 'dpop.request',
    level: 'MUST',
    sentence:
      'The htm claim matches the HTTP method of the current request; the htu claim matches the HTTP URI value for the HTTP request in which the JWT was received, ignoring any query and fragment parts.',
    source: rfc(9449, '4.3'),
    check: bound((lab) =>
      refusedAll(lab, {
        'another method': { claims: { htm: 'GET' } },
        'no method': { claims: { htm: undefined } },
        'another host': { claims: { htu: 'https://other.example/mcp' } },
        'another path': { claims: { htu: `${lab.target.url}/other` } },
        'no address': { claims: { htu: undefined } },
      }),
    ),
  },
  {
    id: 'dpop.token',
    level: 'MUST',
    sentence:
      'If presented to a protected resource in conjunction with an access token, ensure that the value of the ath claim equals the hash of that access token.',
    source: rfc(9449, '4.3'),
    check: bound((lab) =>
      refusedAll(lab, {
        'another token': { claims: { ath: digest('another') } },
        'no token': { claims: { ath: undefined } },
      }),
    ),
  },
  {
    id: 'dpop.form',
    level: 'MUST',
    sentence:
      'The typ JOSE Header Parameter has the value dpop+jwt; all required claims are contained in the JWT; the jwk JOSE Header Parameter does not contain a private key.',
    source: rfc(9449, '4.3'),
    check: bound((lab) =>
      refusedAll(lab, {
        'another type': { header: { typ: 'JWT' } },
        'no key': { header: { jwk: undefined } },
        'no id': { claims: { jti: undefined } },
        'no time': { claims: { iat: undefined } },
      }),
    ),
  },
  {
    id: 'dpop.time',
    level: 'MUST',
    sentence:
      'The creation time of the JWT, as determined by either the iat claim or a server managed timestamp via the nonce claim, is within an acceptable window.',
    source: rfc(9449, '4.3'),
    check: bound((lab) =>
      refusedAll(lab, {
        'an hour old': { claims: { iat: now() - 3600 } },
        'an hour ahead': { claims: { iat: now() + 3600 } },
      }),
    ),
  },
  {
    id: 'dpop.replay',
    level: 'SHOULD',
    sentence:
      'To prevent multiple uses of the same DPoP proof, servers can store, in the context of the target URI, the jti value of each DPoP proof for the time window in which the respective DPoP proof JWT would be accepted.',
    source: rfc(9449, '11.1'),
    check: bound(async (lab) => {
      const { proof, sent } = boundToken(lab)
      const text = proof()
      return all([
        await accepted(lab, sent(text), 'the first time'),
        await answers(lab, sent(text), [401], 'the second time'),
      ])
    }),
  },
  {
    id: 'dpop.challenge',
    level: 'SHOULD',
    sentence:
      'An algs parameter SHOULD be included to signal to the client the JWS algorithms that are acceptable for the DPoP proof JWT.',
    source: rfc(9449, '7.1'),
    check: bound(async (lab) => {
      const { headers } = await lab.send()
      const text = headers.get('www-authenticate') ?? ''
      return verdict(/\bDPoP\b[^]*\balgs="[^"]*\bES256\b/.test(text), text.slice(0, 200))
    }),
  },
]

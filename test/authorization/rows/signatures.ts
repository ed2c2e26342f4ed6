/** Forged tokens: every claim is right. */
import { createHmac } from 'node:crypto'
import { accepted, allRefused, answers, isServed, refused, seenOf } from '../expectations.ts'
import type { Lab } from '../lab.ts'
import { all, fail, type Finding, MCP, pass, rfc, type Row, untestable, verdict } from '../row.ts'
import { type Algorithm, signedWithPss } from '../tokens.ts'
import { createPublicKey } from 'node:crypto'

const hmac = (secret: string | Buffer) => (input: Buffer) =>
  createHmac('sha256', secret).update(input).digest()

/** Every form in which a server could have its public key at hand. */
function publicForms({ issuer }: Lab): Record<string, string | Buffer> {
  const key = createPublicKey(issuer.key.privateKey)
  return {
    PEM: key.export({ type: 'spki', format: 'pem' }),
    DER: key.export({ type: 'spki', format: 'der' }),
    JWK: JSON.stringify(issuer.key.publicJwk),
    'empty secret': '',
  }
}

async function tampered(lab: Lab, change: (parts: string[]) => string[]) {
  const token = change(lab.token().split('.')).join('.')
  return answers(lab, { token }, [401])
}

/** A valid token by each of these algorithms is accepted. */
async function acceptedWith(lab: Lab, algorithms: readonly Algorithm[]): Promise<Finding> {
  const { key, furtherKeys } = lab.issuer
  const findings: Finding[] = []
  for (const algorithm of algorithms) {
    const signing = algorithm === key.algorithm ? key : furtherKeys.get(algorithm)
    if (signing !== key && lab.target.pinned) return untestable('the keys are pinned at the server')
    if (signing)
      findings.push(await accepted(lab, { token: lab.token({ key: signing }) }, algorithm))
  }
  return all(findings)
}

export const signatures: readonly Row[] = [
  {
    id: 'signature.none',
    level: 'MUST',
    sentence: 'The resource server MUST reject any JWT in which the value of "alg" is "none".',
    source: rfc(9068, '4'),
    check: (lab) => {
      const none = (alg: string) => ({ header: { alg }, signature: () => new Uint8Array() })
      return allRefused(lab, { none: none('none'), None: none('None'), nOnE: none('nOnE') })
    },
  },
  {
    id: 'signature.public-key-as-secret',
    level: 'MUST',
    sentence:
      'Libraries MUST enable the caller to specify a supported set of algorithms and MUST NOT use any other algorithms when performing cryptographic operations.',
    source: rfc(8725, '3.1'),
    check: (lab) =>
      allRefused(
        lab,
        Object.fromEntries(
          Object.entries(publicForms(lab)).map(([name, secret]) => [
            name,
            { header: { alg: 'HS256' }, signature: hmac(secret) },
          ]),
        ),
      ),
  },
  {
    id: 'signature.algorithm-of-key',
    level: 'MUST',
    sentence:
      'Each key MUST be used with exactly one algorithm, and this MUST be checked when the cryptographic operation is performed.',
    source: rfc(8725, '3.1'),
    check: (lab) => {
      const { key } = lab.issuer
      if (key.algorithm !== 'RS256') return untestable('only with --algorithm RS256')
      return refused(
        lab,
        { header: { alg: 'PS256' }, signature: (input) => signedWithPss(key, input) },
        'PS256 by a key for RS256',
      )
    },
  },
  {
    id: 'signature.rs256',
    level: 'MUST',
    sentence:
      'The authorization server and resource server conforming to this specification MUST include RS256 among their supported signature algorithms.',
    source: rfc(9068, '2.1'),
    check: (lab) => acceptedWith(lab, ['RS256']),
  },
  {
    id: 'signature.es256',
    level: 'SHOULD',
    sentence: 'ES256, ECDSA using P-256 and SHA-256: Recommended+.',
    source: rfc(7518, '3.1'),
    check: (lab) => acceptedWith(lab, ['ES256']),
  },
  {
    id: 'signature.agility',
    level: 'SHOULD',
    sentence:
      'Applications MUST be designed to enable cryptographic agility. (Here: PS256, ES384 and EdDSA, which providers offer.)',
    source: rfc(8725, '3.2'),
    check: (lab) => acceptedWith(lab, ['PS256', 'ES384', 'EdDSA']),
  },
  {
    id: 'signature.changed-claims',
    level: 'MUST',
    sentence:
      'All cryptographic operations used in the JWT MUST be validated and the entire JWT MUST be rejected if any of them fail to validate.',
    source: rfc(8725, '3.3'),
    check: (lab) =>
      tampered(lab, ([head = '', body = '', tail = '']) => {
        const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
        const changed = JSON.stringify({ ...claims, sub: 'root' })
        return [head, Buffer.from(changed).toString('base64url'), tail]
      }),
  },
  {
    id: 'signature.changed-signature',
    level: 'MUST',
    sentence:
      'All cryptographic operations used in the JWT MUST be validated and the entire JWT MUST be rejected if any of them fail to validate.',
    source: rfc(8725, '3.3'),
    check: async (lab) =>
      all([
        await tampered(lab, ([head = '', body = '', tail = '']) => [
          head,
          body,
          (tail.startsWith('A') ? 'B' : 'A') + tail.slice(1),
        ]),
        await tampered(lab, ([head = '', body = '', tail = '']) => [head, body, tail.slice(0, 40)]),
        await answers(lab, { token: `${lab.token().split('.').slice(0, 2).join('.')}.` }, [401]),
        await answers(lab, { token: lab.token().split('.').slice(0, 2).join('.') }, [401]),
      ]),
  },
  {
    id: 'signature.own-key-in-header',
    level: 'MUST',
    sentence: 'The resource server MUST use the keys provided by the authorization server.',
    source: rfc(9068, '4'),
    check: (lab) => {
      const { stranger, key } = lab.issuer
      const { d, p, q, ...jwk } = stranger.publicJwk
      void [d, p, q]
      return allRefused(lab, {
        'the key itself': { key: stranger, header: { jwk } },
        'under the kid of another': { key: stranger, header: { kid: key.kid } },
        'under the kid of another, and itself': { key: stranger, header: { kid: key.kid, jwk } },
      })
    },
  },
  {
    id: 'signature.own-address-in-header',
    level: 'MUST',
    sentence:
      'Blindly following a "jku" (JWK set URL) or "x5u" (X.509 URL) header, which may contain an arbitrary URL, could result in server-side request forgery (SSRF) attacks. Applications SHOULD protect against such attacks. (The keys MUST be those of the authorization server.)',
    source: rfc(8725, '3.10'),
    async check(lab) {
      const { stranger, strangerJwksUri, requests } = lab.issuer
      const token = lab.token({
        key: stranger,
        header: { jku: strangerJwksUri, x5u: strangerJwksUri },
      })
      const answer = await lab.send({ token })
      const isAsked = requests.includes('/stranger-keys')
      const seen = seenOf(answer) + (isAsked ? ', and the address was requested' : '')
      return verdict(answer.status === 401 && !isAsked, seen)
    },
  },
  {
    id: 'signature.key-use',
    level: 'SHOULD',
    sentence:
      'The "use" (public key use) parameter identifies the intended use of the public key. It is employed to indicate whether a public key is used for encrypting data or verifying the signature on data.',
    source: rfc(7517, '4.2'),
    check: (lab) => {
      if (lab.target.pinned) return untestable('the keys are pinned')
      return refused(lab, { key: lab.issuer.encryptionKey }, 'a key for encryption')
    },
  },
  {
    id: 'signature.encrypted-token',
    level: 'MUST',
    sentence: 'Invalid or expired tokens MUST receive a HTTP 401 response.',
    source: `${MCP}#token-handling`,
    check: (lab) => {
      const head = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')
      return answers(lab, { token: `${head}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA` }, [401])
    },
  },
  {
    id: 'signature.not-a-token',
    level: 'MUST',
    sentence: 'Invalid or expired tokens MUST receive a HTTP 401 response.',
    source: `${MCP}#token-handling`,
    async check(lab) {
      const findings = []
      for (const token of ['x', '..', 'e30.e30.', 'null', '__proto__', 'e30.e30.e30.e30.e30']) {
        findings.push(await answers(lab, { token }, [401], token))
      }
      return all(findings)
    },
  },
  {
    id: 'signature.huge-token',
    level: 'MUST',
    sentence:
      'Invalid or expired tokens MUST receive a HTTP 401 response. (A server may refuse the size before: 400, 413, 431.)',
    source: `${MCP}#token-handling`,
    async check(lab) {
      const big = await lab.send({ token: lab.token({ claims: { more: 'x'.repeat(50_000) } }) })
      const after = await lab.send({ token: lab.token() })
      if (!isServed(after)) return fail(`then ${seenOf(after)} for a valid token`)
      const isRefused = [400, 401, 413, 431].includes(big.status)
      // A token that is valid may be large, and a server may accept it.
      return isRefused || isServed(big) ? pass(seenOf(big, '67 KB')) : fail(seenOf(big, '67 KB'))
    },
  },
]

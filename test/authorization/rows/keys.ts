/** The keys of the authorization server, while they change. */
import { setTimeout as sleep } from 'node:timers/promises'
import { accepted, answers, isServed, seenOf } from '../expectations.ts'
import { all, fail, pass, rfc, type Row, untestable, verdict } from '../row.ts'
import { createKey } from '../tokens.ts'

const PINNED = untestable('the keys are pinned at the server')
const OPENID_ROTATION = 'https://openid.net/specs/openid-connect-core-1_0.html#RotateSigKeys'

/** In this order: later rows use up the requests for keys that a server allows for unknown names. */
export const keys: readonly Row[] = [
  {
    id: 'keys.rotation',
    level: 'SHOULD',
    sentence:
      'The verifier knows to go back to the jwks_uri location to re-retrieve the keys when it sees an unfamiliar kid value.',
    source: OPENID_ROTATION,
    async check(lab) {
      if (lab.target.pinned) return PINNED
      const before = lab.token()
      const { key } = lab.issuer
      lab.issuer.rotate()
      const token = lab.token()
      const since = performance.now()
      const waitMs = lab.target.waitSeconds * 1000
      let answer = await lab.send({ token })
      while (!isServed(answer) && performance.now() - since < waitMs) {
        await sleep(Math.min(2_000, waitMs))
        answer = await lab.send({ token })
      }
      const took = Math.round((performance.now() - since) / 1000)
      if (!isServed(answer)) {
        // So that the other rows say something.
        lab.issuer.key = key
        return fail(`${seenOf(answer)} after ${took} s`)
      }
      const old = await accepted(lab, { token: before }, 'the key before it, still published')
      return all([pass(`new key accepted after ${took} s`), old])
    },
  },
  {
    id: 'keys.outage',
    level: 'MUST',
    sentence: 'The resource server MUST use the keys provided by the authorization server.',
    source: rfc(9068, '4'),
    async check(lab) {
      if (lab.target.pinned) return PINNED
      lab.issuer.isDown = true
      try {
        const key = createKey(lab.issuer.key.algorithm)
        // 5xx says truly that the token could not be judged.
        const unknown = await answers(
          lab,
          { token: lab.token({ key }) },
          [401, 500, 502, 503],
          'unknown key',
        )
        const known = await lab.send({ token: lab.token() })
        return { ...unknown, seen: `${unknown.seen}; ${seenOf(known, 'known key')}` }
      } finally {
        lab.issuer.isDown = false
      }
    },
  },
  {
    id: 'keys.unknown-key',
    level: 'MUST',
    sentence: 'The resource server MUST use the keys provided by the authorization server.',
    source: rfc(9068, '4'),
    check: (lab) =>
      answers(lab, { token: lab.token({ key: createKey(lab.issuer.key.algorithm) }) }, [401]),
  },
  {
    id: 'keys.strange-names',
    level: 'MUST',
    sentence:
      'The "kid" (key ID) header is used by the relying application to perform key lookup. Applications should ensure that this does not create SQL or LDAP injection vulnerabilities.',
    source: rfc(8725, '3.10'),
    async check(lab) {
      const findings = []
      for (const kid of ["' OR 1=1 --", '../../../../dev/null', '__proto__', 'x'.repeat(2000)]) {
        const token = lab.token({ key: lab.issuer.stranger, header: { kid } })
        findings.push(await answers(lab, { token }, [401], kid.slice(0, 24)))
      }
      return all(findings)
    },
  },
  {
    id: 'keys.flood',
    level: 'SHOULD',
    sentence:
      'Applications SHOULD protect against such attacks: data that an attacker chooses (here the key id) must not make the server send requests at will.',
    source: rfc(8725, '3.10'),
    async check(lab) {
      if (lab.target.pinned) return PINNED
      const before = lab.issuer.requests.length
      for (let nth = 0; nth < 20; nth++) {
        await lab.send({
          token: lab.token({ key: lab.issuer.stranger, header: { kid: `${nth}` } }),
        })
      }
      const count = lab.issuer.requests.length - before
      return verdict(count <= 6, `${count} requests for keys by 20 tokens`)
    },
  },
]

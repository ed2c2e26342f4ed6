/** RFC 9068 and RFC 7009: access tokens, refresh tokens and their end. */
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { all, CONSIDERATIONS, type Finding, rfc, type Row, untestable, verdict } from '../row.ts'
import { REDIRECT, type ServerLab, textOf } from '../server/lab.ts'
import { isError, seen } from './server-codes.ts'

type ServerRow = Row<ServerLab>

const DRAFT = 'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-14'

/** @returns a finding if the access tokens are not JWT. */
async function jwtOf(lab: ServerLab): Promise<{ token: string } | Finding> {
  const token = String((await lab.tokens()).reply.body['access_token'])
  return token.split('.').length === 3 ? { token } : untestable('access tokens are not JWT')
}

const jwtRow =
  (check: (token: string, lab: ServerLab) => Finding | Promise<Finding>): ServerRow['check'] =>
  async (lab) => {
    const found = await jwtOf(lab)
    return 'token' in found ? check(found.token, lab) : found
  }

/** The keys that the metadata leads to. */
async function keysOf(lab: ServerLab): Promise<Record<string, unknown>[]> {
  const { jwks_uri: uri } = await lab.metadata()
  const { keys = [] } = typeof uri === 'string' ? (await lab.get(uri)).body : {}
  return Array.isArray(keys) ? (keys as Record<string, unknown>[]) : []
}

const accessTokens: readonly ServerRow[] = [
  {
    id: 'access.audience',
    level: 'SHOULD',
    sentence:
      'If the request includes a resource parameter, the resulting JWT access token aud claim SHOULD have the same value. (MCP servers MUST validate that tokens were issued for them.)',
    source: rfc(9068, '3'),
    check: jwtRow((token, lab) => {
      const { aud } = decodeJwt(token)
      if (lab.target.resource === undefined) return untestable('no resource is known (--resource)')
      return verdict([aud].flat().includes(lab.target.resource), JSON.stringify(aud) ?? 'absent')
    }),
  },
  {
    id: 'access.type',
    level: 'MUST',
    sentence: 'JWT access tokens MUST include this media type in the typ header parameter: at+jwt.',
    source: rfc(9068, '2.1'),
    check: jwtRow((token) => {
      const { typ } = decodeProtectedHeader(token)
      return verdict(/^(application\/)?at\+jwt$/i.test(typ ?? ''), typ ?? 'absent')
    }),
  },
  {
    id: 'access.claims',
    level: 'MUST',
    sentence: 'iss, exp, aud, sub, client_id, iat, jti: REQUIRED.',
    source: rfc(9068, '2.2'),
    check: jwtRow((token) => {
      const claims = decodeJwt(token)
      const names = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti']
      const missing = names.filter((name) => claims[name] === undefined)
      return verdict(missing.length === 0, missing.join(', ') || 'all are there')
    }),
  },
  {
    id: 'access.signature',
    level: 'MUST',
    sentence: 'JWT access tokens MUST be signed. (The keys of the metadata verify the signature.)',
    source: rfc(9068, '2.1'),
    check: jwtRow(async (token, lab) => {
      const { jwks_uri: uri } = await lab.metadata()
      if (typeof uri !== 'string') return verdict(false, 'no jwks_uri')
      try {
        const { issuer } = lab.target
        const { protectedHeader } = await jwtVerify(token, createRemoteJWKSet(new URL(uri)), {
          issuer,
        })
        return verdict(true, protectedHeader.alg)
      } catch (error) {
        return verdict(false, String(error))
      }
    }),
  },
  {
    id: 'access.public-keys',
    level: 'MUST',
    sentence: 'Private and symmetric keys MUST be protected from disclosure to unintended parties.',
    source: rfc(7517, '9.2'),
    async check(lab) {
      const keys = await keysOf(lab)
      const isPublic = keys.every((key) => !['d', 'p', 'q', 'k'].some((name) => name in key))
      return verdict(keys.length > 0 && isPublic, `${keys.length} keys`)
    },
  },
  {
    id: 'access.key-ids',
    level: 'SHOULD',
    sentence:
      'When "kid" values are used within a JWK Set, different keys within the JWK Set SHOULD use distinct "kid" values.',
    source: rfc(7517, '4.5'),
    async check(lab) {
      const names = (await keysOf(lab)).map(({ kid }) => textOf(kid))
      const isRight = names.length > 0 && new Set(names).size === names.length
      return verdict(isRight && !names.includes(''), names.join(', ') || 'no keys')
    },
  },
  {
    id: 'access.short-lived',
    level: 'SHOULD',
    sentence:
      'Authorization servers SHOULD issue short-lived access tokens to reduce the impact of leaked tokens. (At most an hour.)',
    source: `${CONSIDERATIONS}#token-theft`,
    async check(lab) {
      const value = (await lab.tokens()).reply.body['expires_in']
      return verdict(typeof value === 'number' && value <= 3_600, `${String(value)} s`)
    },
  },
]

const NONE = 'there is no refresh token'

const refreshTokens: readonly ServerRow[] = [
  {
    id: 'refresh.rotation',
    level: 'MUST',
    sentence:
      'For public clients, authorization servers MUST rotate refresh tokens. (Or bind them to the sender, which this suite is not able to do.)',
    source: `${CONSIDERATIONS}#token-theft`,
    async check(lab) {
      const { client, reply } = await lab.freshTokens()
      const { refresh_token: token } = reply.body
      if (token === undefined) return untestable(NONE)
      const next = await lab.refresh(client, token)
      const isNew = next.body['refresh_token'] !== undefined && next.body['refresh_token'] !== token
      return verdict(next.status === 200 && isNew, `${seen(next)}, ${isNew ? 'new' : 'the same'}`)
    },
  },
  {
    id: 'refresh.replay',
    level: 'MUST',
    sentence:
      'Authorization servers MUST utilize sender-constrained refresh tokens or rotation to detect refresh token replay by malicious actors for public clients. If a refresh token is used by both the attacker and the legitimate client, one of them presents an invalidated one, and the server revokes the active one.',
    source: rfc(9700, '4.14.2'),
    async check(lab) {
      const { client, reply } = await lab.freshTokens()
      const { refresh_token: token } = reply.body
      if (token === undefined) return untestable(NONE)
      const next = await lab.refresh(client, token)
      const replayed = await lab.refresh(client, token)
      const after = await lab.refresh(client, next.body['refresh_token'])
      return all(
        [replayed, after].map((each) => verdict(isError(each, 'invalid_grant'), seen(each))),
      )
    },
  },
  {
    id: 'refresh.of-its-client',
    level: 'MUST',
    sentence:
      'The authorization server MUST maintain the binding between a refresh token and the client to whom it was issued, and verify it whenever the client can be identified.',
    source: rfc(6749, '10.4'),
    async check(lab) {
      const { reply } = await lab.freshTokens()
      const { refresh_token: token } = reply.body
      if (token === undefined) return untestable(NONE)
      const other = await lab.refresh(await lab.client(REDIRECT, 'other'), token)
      return verdict(isError(other, 'invalid_grant', 'invalid_client'), seen(other))
    },
  },
  {
    id: 'refresh.no-more-scope',
    level: 'MUST',
    sentence:
      'The requested scope MUST NOT include any scope not originally granted by the resource owner.',
    source: `${DRAFT}#section-4.3.1`,
    async check(lab) {
      const { client, reply } = await lab.freshTokens({ scope: undefined })
      const { refresh_token: token, scope = '' } = reply.body
      if (token === undefined) return untestable(NONE)
      if (lab.target.scope === undefined) return untestable('no scope is known (--scope)')
      const wanted = `${String(scope)} ${lab.target.scope}`.trim()
      const next = await lab.refresh(client, token, { scope: wanted })
      const granted = String(next.body['scope'] ?? (next.status === 200 ? scope : ''))
      const isMore = granted.split(' ').some((each) => !String(scope).split(' ').includes(each))
      return verdict(next.status !== 200 || !isMore, `${seen(next)} ${granted}`)
    },
  },
  {
    id: 'revocation.refresh-token',
    level: 'MUST',
    sentence: 'Implementations MUST support the revocation of refresh tokens.',
    source: rfc(7009, '2'),
    async check(lab) {
      if (!(await lab.metadata())['revocation_endpoint'])
        return untestable('there is no revocation')
      const { client, reply } = await lab.freshTokens()
      const { refresh_token: token } = reply.body
      if (token === undefined) return untestable(NONE)
      const fields = {
        client_id: client.id,
        token: textOf(token),
        token_type_hint: 'refresh_token',
      }
      const revoked = await lab.post('revocation', fields)
      const next = await lab.refresh(client, token)
      return verdict(
        revoked.status === 200 && isError(next, 'invalid_grant'),
        `${revoked.status}, ${seen(next)}`,
      )
    },
  },
  {
    id: 'revocation.unknown-token',
    level: 'MUST',
    sentence:
      'The authorization server responds with HTTP status code 200 if the token has been revoked successfully or if the client submitted an invalid token.',
    source: rfc(7009, '2.2'),
    async check(lab) {
      if (!(await lab.metadata())['revocation_endpoint'])
        return untestable('there is no revocation')
      const { id } = await lab.client()
      const reply = await lab.post('revocation', { client_id: id, token: 'unknown' })
      return verdict(reply.status === 200, seen(reply))
    },
  },
  {
    id: 'revocation.of-its-client',
    level: 'MUST',
    sentence:
      'The authorization server first validates the client credentials and then verifies whether the token was issued to the client making the revocation request.',
    source: rfc(7009, '2.1'),
    async check(lab) {
      if (!(await lab.metadata())['revocation_endpoint'])
        return untestable('there is no revocation')
      const { client, reply } = await lab.freshTokens()
      const { refresh_token: token } = reply.body
      if (token === undefined) return untestable(NONE)
      const other = await lab.client(REDIRECT, 'other')
      await lab.post('revocation', { client_id: other.id, token: textOf(token) })
      const next = await lab.refresh(client, token)
      return verdict(next.status === 200, seen(next))
    },
  },
]

export const serverTokens: readonly ServerRow[] = [...accessTokens, ...refreshTokens]

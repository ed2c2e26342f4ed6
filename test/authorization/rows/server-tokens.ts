/** OAuth 2.1, RFC 9068 and RFC 7009: codes, access tokens, refresh tokens and their end. */
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { all, CONSIDERATIONS, type Finding, rfc, type Row, untestable, verdict } from '../row.ts'
import {
  newVerifier,
  REDIRECT,
  type Reply,
  replyOf,
  type ServerLab,
  textOf,
} from '../server/lab.ts'

type ServerRow = Row<ServerLab>

const DRAFT = 'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-14'

const isError = ({ status, body }: Reply, ...codes: string[]) =>
  status === 400 && codes.includes(String(body['error'])) && body['access_token'] === undefined
const seen = ({ status, body }: Reply) => `${status} ${textOf(body['error'])}`.trim()

const codeRefused =
  (changes: (lab: ServerLab) => Promise<Record<string, string | undefined>>): ServerRow['check'] =>
  async (lab) => {
    const client = await lab.client()
    const reply = await lab.redeem(client, await lab.authorize(client), await changes(lab))
    return verdict(
      isError(reply, 'invalid_grant', 'invalid_request', 'invalid_client'),
      seen(reply),
    )
  }

const codes: readonly ServerRow[] = [
  {
    id: 'code.token-response',
    level: 'MUST',
    sentence:
      'The authorization server creates the token response as a JSON object with access_token and token_type. It MUST include Cache-Control with a value of no-store in any response containing tokens.',
    source: `${DRAFT}#section-3.2.3`,
    async check(lab) {
      const { reply } = await lab.tokens()
      const cache = reply.headers.get('cache-control') ?? 'absent'
      return verdict(
        typeof reply.body['access_token'] === 'string' &&
          /^bearer$/i.test(String(reply.body['token_type'])) &&
          /\bno-store\b/.test(cache),
        `cache-control: ${cache}`,
      )
    },
  },
  {
    id: 'code.verifier',
    level: 'MUST',
    sentence:
      'If the values of code_verifier and code_challenge are not equal, an error response indicating invalid_grant MUST be returned.',
    source: rfc(7636, '4.6'),
    check: codeRefused(async () => ({ code_verifier: newVerifier() })),
  },
  {
    id: 'code.verifier-required',
    level: 'MUST',
    sentence:
      'If a client sends a valid PKCE code_challenge parameter in the authorization request, the authorization server MUST enforce the correct usage of code_verifier at the token endpoint.',
    source: rfc(9700, '2.1.1'),
    check: codeRefused(async () => ({ code_verifier: undefined })),
  },
  {
    id: 'code.of-its-client',
    level: 'MUST',
    sentence:
      'The authorization server MUST ensure that the authorization code was issued to the client identified in the request.',
    source: rfc(6749, '4.1.3'),
    check: codeRefused(async (lab) => ({
      client_id: (await lab.client(REDIRECT, 'other')).id,
    })),
  },
  {
    id: 'code.redirect-uri',
    level: 'MUST',
    sentence:
      'Ensure that the redirect_uri parameter is present if it was included in the initial authorization request, and if included ensure that their values are identical. (OAuth 2.1 leaves it out; one that differs is refused.)',
    source: rfc(6749, '4.1.3'),
    check: codeRefused(async () => ({ redirect_uri: 'https://evil.example/' })),
  },
  {
    id: 'code.once',
    level: 'MUST',
    sentence:
      'The client MUST NOT use the authorization code more than once. If an authorization code is used more than once, the authorization server MUST deny the request.',
    source: rfc(6749, '4.1.2'),
    async check(lab) {
      const client = await lab.client()
      const authorized = await lab.authorize(client)
      const first = await lab.redeem(client, authorized)
      const second = await lab.redeem(client, authorized)
      return verdict(
        first.status === 200 && isError(second, 'invalid_grant'),
        `${seen(first)}, ${seen(second)}`,
      )
    },
  },
  {
    id: 'code.reuse-revokes',
    level: 'SHOULD',
    sentence:
      'If an authorization code is used more than once, the authorization server SHOULD revoke (when possible) all access tokens and refresh tokens previously issued based on that authorization code.',
    source: rfc(6749, '4.1.2'),
    async check(lab) {
      const client = await lab.client()
      const authorized = await lab.authorize(client)
      const { body } = await lab.redeem(client, authorized)
      if (body['refresh_token'] === undefined) return untestable('there is no refresh token')
      await lab.redeem(client, authorized)
      const next = await lab.refresh(client, body['refresh_token'])
      return verdict(isError(next, 'invalid_grant'), seen(next))
    },
  },
  {
    id: 'code.not-in-address',
    level: 'MUST',
    sentence:
      'The parameters can only be transmitted in the request content and MUST NOT be included in the request URI. The client MUST use the HTTP POST method when making access token requests.',
    source: `${DRAFT}#section-2.4.1`,
    async check(lab) {
      const client = await lab.client()
      const { parameters, verifier } = await lab.authorize(client)
      const url = await lab.endpoint('token')
      const fields = {
        grant_type: 'authorization_code',
        client_id: client.id,
        code: parameters.get('code') ?? '',
        redirect_uri: client.redirectUri,
        code_verifier: verifier,
      }
      for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
      const replies = [
        await lab.get(url),
        await replyOf(await fetch(url, { method: 'POST', body: new URLSearchParams() })),
      ]
      return all(
        replies.map((reply) =>
          verdict(reply.status >= 400 && reply.body['access_token'] === undefined, seen(reply)),
        ),
      )
    },
  },
  {
    id: 'code.error-form',
    level: 'MUST',
    sentence:
      'The authorization server responds with an HTTP 400 status code and includes error, REQUIRED: a single ASCII error code, in JSON.',
    source: `${DRAFT}#section-3.2.4`,
    async check(lab) {
      const { id } = await lab.client()
      const unknown = await lab.post('token', { grant_type: 'x-unknown', client_id: id })
      const forged = await lab.post('token', {
        grant_type: 'authorization_code',
        ...{ client_id: id, code: 'forged', code_verifier: newVerifier() },
      })
      return all([
        verdict(isError(unknown, 'unsupported_grant_type'), seen(unknown)),
        verdict(isError(forged, 'invalid_grant'), seen(forged)),
      ])
    },
  },
  {
    id: 'code.granted-scope',
    level: 'MUST',
    sentence:
      'If the issued access token scope is different from the one requested by the client, the authorization server MUST include the scope response parameter.',
    source: `${DRAFT}#section-1.4.1`,
    async check(lab) {
      const client = await lab.client()
      const address = { scope: `${lab.target.scope ?? ''} x-suite-unknown`.trim() }
      try {
        const reply = await lab.redeem(client, await lab.authorize(client, address))
        const scope = textOf(reply.body['scope'], 'absent')
        const isRight = !scope.split(' ').includes('x-suite-unknown') && scope !== 'absent'
        return lab.target.scope === undefined && scope === 'absent'
          ? untestable('no scope is known (--scope)')
          : verdict(isRight, `scope: ${scope}`)
      } catch (error) {
        return verdict(/invalid_scope/.test(String(error)), String(error))
      }
    },
  },
]

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

export const serverTokens: readonly ServerRow[] = [...codes, ...accessTokens, ...refreshTokens]

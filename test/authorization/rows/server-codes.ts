/** OAuth 2.1: authorization codes, and what a token endpoint answers to them. */
import { all, rfc, type Row, untestable, verdict } from '../row.ts'
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

/** Whether a token endpoint refused, with one of these codes. */
export const isError = ({ status, body }: Reply, ...codes: string[]) =>
  status === 400 && codes.includes(String(body['error'])) && body['access_token'] === undefined
export const seen = ({ status, body }: Reply) => `${status} ${textOf(body['error'])}`.trim()

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

export const serverCodes: readonly ServerRow[] = [
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

/** RFC 9700 and OAuth 2.1: what an authorization server does with a request for a user's consent. */
import { all, CONSIDERATIONS, MCP, rfc, type Row, untestable, verdict } from '../row.ts'
import { formIn } from '../server/browser.ts'
import { type AsClient, leadsTo, REDIRECT, type Reply, type ServerLab } from '../server/lab.ts'

type ServerRow = Row<ServerLab>

const DRAFT = 'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-14'

/** Each differs from {@link REDIRECT} in a way that parsers forgive. */
const VARIATIONS = [
  `${REDIRECT}/`,
  `${REDIRECT}/more`,
  `${REDIRECT}more`,
  `${REDIRECT}?x=1`,
  'https://client.example:444/callback',
  'https://client.example/./callback',
  'https://client.example/%63allback',
  'https://CLIENT.example/callback',
  'https://user@client.example/callback',
  'https://client.example.evil.example/callback',
  'https://client.example@evil.example/callback',
  'https://evil.example/',
  'http://client.example/callback',
]

/** A page that asks the user, or one of a sign-in before that. */
const asks = ({ status, headers, text }: Reply) =>
  (status === 200 && formIn(text) !== undefined) ||
  (status >= 300 && status < 400 && !(headers.get('location') ?? '').includes('error='))

const errorIn = ({ headers, text }: Reply) =>
  /[?&;]error=([\w]+)/.exec(`${headers.get('location') ?? ''} ${text}`)?.[1]

/** Whether it was refused, for the client or with a page. */
const isRefused = (reply: Reply) =>
  !asks(reply) && (reply.status >= 400 || errorIn(reply) !== undefined)

const seenOf = (reply: Reply) =>
  [reply.status, errorIn(reply) ?? '', asks(reply) ? 'asks the user' : ''].join(' ').trim()

const refused =
  (
    changes: Readonly<Record<string, string | undefined>>,
    edit?: (url: URL) => void,
  ): ServerRow['check'] =>
  async (lab) => {
    const reply = await lab.ask(await lab.client(), changes, edit)
    return verdict(isRefused(reply), seenOf(reply))
  }

const asked =
  (edit: (url: URL) => void): ServerRow['check'] =>
  async (lab) => {
    const reply = await lab.ask(await lab.client(), {}, edit)
    return verdict(asks(reply), seenOf(reply))
  }

const LOOPBACK = 'http://127.0.0.1/callback'

export const serverRequests: readonly ServerRow[] = [
  {
    id: 'redirect.exact',
    level: 'MUST',
    sentence:
      'When comparing client redirection URIs against pre-registered URIs, authorization servers MUST utilize exact string matching except for port numbers in localhost redirection URIs of native apps.',
    source: rfc(9700, '2.1'),
    async check(lab) {
      const client = await lab.client()
      const findings = await Promise.all(
        VARIATIONS.map(async (uri) => {
          const reply = await lab.ask({ ...client, redirectUri: uri })
          return verdict(isRefused(reply) && !leadsTo(reply, uri), `${uri}: ${seenOf(reply)}`)
        }),
      )
      const failed = findings.filter(({ state }) => state !== 'pass')
      return failed.length > 0 ? all(failed) : verdict(true, `${findings.length} variations`)
    },
  },
  {
    id: 'redirect.loopback-port',
    level: 'MUST',
    sentence:
      'The authorization server MUST allow any port to be specified at the time of the request for loopback IP redirect URIs.',
    source: rfc(8252, '7.3'),
    async check(lab) {
      const { id } = await lab.client(LOOPBACK)
      const reply = await lab.ask({ id, redirectUri: 'http://127.0.0.1:49152/callback' })
      return verdict(asks(reply), seenOf(reply))
    },
  },
  {
    id: 'redirect.loopback-path',
    level: 'MUST',
    sentence:
      'Exact string matching is required except for port numbers in localhost redirection URIs of native apps.',
    source: rfc(9700, '4.1.3'),
    async check(lab) {
      const { id } = await lab.client(LOOPBACK)
      const others = [
        'http://127.0.0.1:49152/other',
        'http://127.0.0.1:49152@evil.example/callback',
      ]
      const findings = await Promise.all(
        others.map(async (redirectUri) => {
          const reply = await lab.ask({ id, redirectUri })
          return verdict(isRefused(reply) && !leadsTo(reply, redirectUri), seenOf(reply))
        }),
      )
      return all(findings)
    },
  },
  {
    id: 'redirect.not-open',
    level: 'MUST',
    sentence:
      'If the request fails due to a missing, invalid, or mismatching redirect URI, or if the client identifier is missing or invalid, the authorization server MUST NOT automatically redirect the user agent to the invalid redirect URI.',
    source: `${DRAFT}#section-4.1.2.1`,
    async check(lab) {
      const client = await lab.client()
      const requests: [AsClient, Record<string, string | undefined>][] = [
        [{ ...client, id: 'unknown' }, {}],
        [client, { client_id: undefined }],
        [{ ...client, redirectUri: 'https://evil.example/' }, {}],
        [{ ...client, redirectUri: 'https://evil.example/' }, { response_type: 'token' }],
      ]
      const findings = await Promise.all(
        requests.map(async ([each, changes]) => {
          const reply = await lab.ask(each, changes)
          const leads = leadsTo(reply, each.redirectUri)
          return verdict(!leads && !asks(reply), `${seenOf(reply)}${leads ? ', redirects' : ''}`)
        }),
      )
      return all(findings)
    },
  },
  {
    id: 'redirect.named-of-several',
    level: 'MUST',
    sentence:
      'If multiple redirect URIs have been registered, the client MUST include a redirect URI with the authorization request using the redirect_uri request parameter.',
    source: rfc(6749, '3.1.2.3'),
    async check(lab) {
      const redirect_uris = [`${REDIRECT}/1`, `${REDIRECT}/2`]
      const { body } = await lab.register({ redirect_uris })
      const client = { id: String(body['client_id']), redirectUri: redirect_uris[0] ?? '' }
      const reply = await lab.ask(client, { redirect_uri: undefined })
      return verdict(!asks(reply) && !leadsTo(reply, REDIRECT), seenOf(reply))
    },
  },
  {
    id: 'request.pkce-required',
    level: 'MUST',
    sentence:
      'Public clients MUST use PKCE. (code_challenge is REQUIRED of them in OAuth 2.1, so a request without it is refused.)',
    source: rfc(9700, '2.1.1'),
    check: refused({ code_challenge: undefined, code_challenge_method: undefined }),
  },
  {
    id: 'request.no-plain-pkce',
    level: 'SHOULD',
    sentence:
      'Clients SHOULD use PKCE code challenge methods that do not expose the PKCE verifier in the authorization request. Currently, S256 is the only such method.',
    source: rfc(9700, '2.1.1'),
    check: refused({ code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }),
  },
  {
    id: 'request.response-type',
    level: 'MUST',
    sentence:
      'If an authorization request is missing the response_type parameter, or if the response type is not understood, the authorization server MUST return an error response.',
    source: `${DRAFT}#section-4.1.1`,
    async check(lab) {
      const client = await lab.client()
      const types = [undefined, 'nothing', 'token']
      const replies = await Promise.all(
        types.map((response_type) => lab.ask(client, { response_type })),
      )
      return all(replies.map((reply) => verdict(isRefused(reply), seenOf(reply))))
    },
  },
  {
    id: 'request.repeated-parameter',
    level: 'MUST',
    sentence: 'Request and response parameters MUST NOT be included more than once.',
    source: `${DRAFT}#section-3.1`,
    check: refused({}, (url) => url.searchParams.append('state', 'other')),
  },
  {
    id: 'request.unknown-parameter',
    level: 'MUST',
    sentence: 'The authorization server MUST ignore unrecognized request parameters.',
    source: `${DRAFT}#section-3.1`,
    check: asked((url) => url.searchParams.set('x-suite', '1')),
  },
  {
    id: 'request.empty-parameter',
    level: 'MUST',
    sentence:
      'Parameters sent without a value MUST be treated as if they were omitted from the request.',
    source: `${DRAFT}#section-3.1`,
    check: asked((url) => {
      for (const name of ['response_mode', 'scope', 'prompt']) url.searchParams.set(name, '')
    }),
  },
  {
    id: 'request.foreign-resource',
    level: 'SHOULD',
    sentence:
      'If the authorization server does not consider the resource acceptable, it should reject the request with invalid_target.',
    source: rfc(8707, '2'),
    async check(lab) {
      if (lab.target.resource === undefined) return untestable('no resource is known (--resource)')
      const reply = await lab.ask(await lab.client(), { resource: 'https://other.example/mcp' })
      return verdict(errorIn(reply) === 'invalid_target', seenOf(reply))
    },
  },
  {
    id: 'consent.asked',
    level: 'MUST',
    sentence:
      'The authorization server MUST ensure that a malicious client cannot obtain authorization without the awareness and explicit consent of the resource owner. (The request of an unknown client leads to a page, and never back with a code.)',
    source: rfc(6749, '10.12'),
    async check(lab) {
      const reply = await lab.ask(await lab.client())
      return verdict(asks(reply) && !leadsTo(reply, REDIRECT), seenOf(reply))
    },
  },
  {
    id: 'consent.each-client',
    level: 'MUST',
    sentence:
      'MCP proxy servers using static client IDs MUST obtain user consent for each dynamically registered client before forwarding to third-party authorization servers.',
    source: `${CONSIDERATIONS}#confused-deputy-problem`,
    async check(lab) {
      const first = await lab.client()
      await lab.authorize(first)
      const { seen } = await lab.authorize(await lab.client(REDIRECT, 'other'))
      // At least one page with a form was shown to a browser that had allowed the other client.
      const pages = seen.filter(({ status }) => status === 200)
      const texts = await Promise.all(pages.map((page) => page.clone().text()))
      const shown = texts.some((text) => formIn(text) !== undefined)
      return verdict(shown, shown ? 'a page' : 'a code without a page')
    },
  },
  {
    id: 'consent.shows-host',
    level: 'MUST',
    sentence:
      'The authorization server MUST clearly display the redirect URI hostname during authorization.',
    source: `${MCP}/client-registration#security-considerations`,
    async check(lab) {
      const { seen } = await lab.looked()
      const texts = await Promise.all(seen.map((page) => page.clone().text()))
      const isShown = texts.some(
        (text) => formIn(text) !== undefined && text.includes(new URL(REDIRECT).host),
      )
      return verdict(isShown, isShown ? 'shown' : 'not shown')
    },
  },
  {
    id: 'consent.not-framed',
    level: 'MUST',
    sentence:
      'Authorization servers MUST prevent clickjacking attacks. Countermeasures include the X-Frame-Options response header field; in addition, authorization servers SHOULD also use Content Security Policy.',
    source: rfc(9700, '4.16'),
    async check(lab) {
      const { seen } = await lab.looked()
      const pages = seen.filter(({ status }) => status === 200)
      const open = pages.filter(
        ({ headers }) =>
          !/frame-ancestors\s+('none'|'self')/.test(headers.get('content-security-policy') ?? '') &&
          !/^(deny|sameorigin)$/i.test(headers.get('x-frame-options') ?? ''),
      )
      return verdict(
        pages.length > 0 && open.length === 0,
        `${open.length} of ${pages.length} pages`,
      )
    },
  },
  {
    id: 'consent.not-forged',
    level: 'MUST',
    sentence:
      'The authorization server MUST implement CSRF protection for its authorization endpoint.',
    source: rfc(6749, '10.12'),
    async check(lab) {
      const client = await lab.client()
      const reply = await lab.ask(client)
      const form = formIn(reply.text)
      if (!form) return untestable('the first answer is not a page with a form')
      const { user, passPhrase } = lab.target.person
      const fields = form.inputs.map(({ name, type, value }): [string, string] => [
        name,
        type === 'password' ? passPhrase : type === 'hidden' ? value : user,
      ])
      const address = new URL(form.action, await lab.endpoint('authorization'))
      // The form of an attacker's browser, sent by a page of the attacker in the browser of a victim.
      const sent = await fetch(address, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: 'https://evil.example' },
        body: new URLSearchParams([...fields, ...form.button]),
      })
      const text = await sent.text()
      const next = { status: sent.status, headers: sent.headers, text, body: {} }
      return verdict(!leadsTo(next, REDIRECT) && !text.includes('code='), `${sent.status}`)
    },
  },
  {
    id: 'consent.no-307',
    level: 'MUST',
    sentence:
      'Authorization servers that redirect a request that potentially contains user credentials MUST NOT use the HTTP 307 status code for redirection.',
    source: rfc(9700, '4.12'),
    async check(lab) {
      const { seen } = await lab.looked()
      const statuses = seen.map(({ status }) => status)
      return verdict(
        !statuses.some((status) => status === 307 || status === 308),
        statuses.join(' '),
      )
    },
  },
  {
    id: 'answer.state',
    level: 'MUST',
    sentence:
      'state: REQUIRED if the state parameter was present in the client authorization request. The exact value received from the client.',
    source: `${DRAFT}#section-4.1.2`,
    async check(lab) {
      const { parameters, state } = await lab.looked()
      return verdict(parameters.get('state') === state, parameters.get('state') ?? 'absent')
    },
  },
  {
    id: 'answer.issuer',
    level: 'MUST',
    sentence:
      'In authorization responses to the client, including error responses, an authorization server supporting this specification MUST indicate its identity by including the iss parameter in the response.',
    source: rfc(9207, '2'),
    async check(lab) {
      if (!(await lab.metadata())['authorization_response_iss_parameter_supported'])
        return untestable('the server does not promise it')
      const { parameters } = await lab.looked()
      return verdict(parameters.get('iss') === lab.target.issuer, parameters.get('iss') ?? 'absent')
    },
  },
]

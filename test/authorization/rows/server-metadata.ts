/** RFC 8414: what an authorization server says of itself, and RFC 7591: how clients register. */
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
import { type Reply, type ServerLab, textOf } from '../server/lab.ts'

const DOCUMENTS =
  'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-client-id-metadata-document-00'

type ServerRow = Row<ServerLab>

const DISCOVERY_8414 = rfc(8414, '3.2')
const DRAFT = 'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-14'

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

async function served(lab: ServerLab): Promise<Reply | undefined> {
  for (const address of lab.addresses()) {
    const reply = await lab.get(address)
    if (reply.status === 200 && Object.keys(reply.body).length > 0) return reply
  }
  return undefined
}

const list = async (lab: ServerLab, name: string) => {
  const value = (await lab.metadata())[name]
  return isStrings(value) ? value : []
}

const discovery: readonly ServerRow[] = [
  {
    id: 'discovery.metadata',
    level: 'MUST',
    sentence:
      'MCP authorization servers MUST provide at least one of the following discovery mechanisms: OAuth 2.0 Authorization Server Metadata (RFC8414), OpenID Connect Discovery 1.0.',
    source: `${DISCOVERY}#authorization-server-metadata-discovery`,
    async check(lab) {
      return (await served(lab)) ? pass('found') : fail('at none of its addresses')
    },
  },
  {
    id: 'discovery.issuer',
    level: 'MUST',
    sentence:
      'The issuer value returned MUST be identical to the authorization server’s issuer identifier value into which the well-known URI string was inserted to create the URL used to retrieve the metadata.',
    source: rfc(8414, '3.3'),
    async check(lab) {
      const { issuer } = await lab.metadata()
      return verdict(issuer === lab.target.issuer, `issuer: ${JSON.stringify(issuer) ?? 'absent'}`)
    },
  },
  {
    id: 'discovery.media-type',
    level: 'MUST',
    sentence:
      'A successful response MUST use the 200 OK HTTP status code and return a JSON object using the application/json content type that contains a set of claims as its members.',
    source: DISCOVERY_8414,
    async check(lab) {
      const type = (await served(lab))?.headers.get('content-type') ?? 'no content type'
      return verdict(/^application\/json\b/i.test(type), type)
    },
  },
  {
    id: 'discovery.members',
    level: 'MUST',
    sentence:
      'issuer, response_types_supported: REQUIRED. authorization_endpoint, token_endpoint: REQUIRED unless only grant types are supported that do not use them.',
    source: rfc(8414, '2'),
    async check(lab) {
      const document = await lab.metadata()
      const missing = ['issuer', 'authorization_endpoint', 'token_endpoint'].filter(
        (name) => typeof document[name] !== 'string',
      )
      const types = await list(lab, 'response_types_supported')
      const all = [...missing, ...(types.length > 0 ? [] : ['response_types_supported'])]
      return verdict(all.length === 0, all.join(', ') || 'all are there')
    },
  },
  {
    id: 'discovery.no-empty-members',
    level: 'MUST',
    sentence: 'Claims with zero elements MUST be omitted from the response.',
    source: DISCOVERY_8414,
    async check(lab) {
      const empty = Object.entries(await lab.metadata()).filter(
        ([, value]) => value === null || (Array.isArray(value) && value.length === 0),
      )
      return verdict(empty.length === 0, empty.map(([name]) => name).join(', ') || 'none is empty')
    },
  },
  {
    id: 'discovery.pkce',
    level: 'MUST',
    sentence:
      'If code_challenge_methods_supported is absent, the authorization server does not support PKCE and MCP clients MUST refuse to proceed. (It MUST be there, with S256.)',
    source: `${CONSIDERATIONS}#authorization-code-protection`,
    async check(lab) {
      const methods = await list(lab, 'code_challenge_methods_supported')
      return verdict(methods.includes('S256'), methods.join(' ') || 'absent')
    },
  },
  {
    id: 'discovery.no-plain-pkce',
    level: 'SHOULD',
    sentence:
      'Clients SHOULD use PKCE code challenge methods that do not expose the PKCE verifier in the authorization request. Currently, S256 is the only such method.',
    source: rfc(9700, '2.1.1'),
    async check(lab) {
      const methods = await list(lab, 'code_challenge_methods_supported')
      return verdict(
        methods.length > 0 && !methods.includes('plain'),
        methods.join(' ') || 'absent',
      )
    },
  },
  {
    id: 'discovery.no-implicit',
    level: 'SHOULD',
    sentence:
      'Clients SHOULD NOT use the implicit grant or other response types issuing access tokens in the authorization response. (OAuth 2.1 has none.)',
    source: rfc(9700, '2.1.2'),
    async check(lab) {
      const types = await list(lab, 'response_types_supported')
      const issuing = types.filter((type) => type.split(' ').includes('token'))
      return verdict(types.length > 0 && issuing.length === 0, types.join(', ') || 'absent')
    },
  },
  {
    id: 'discovery.no-password-grant',
    level: 'MUST',
    sentence: 'The resource owner password credentials grant MUST NOT be used.',
    source: rfc(9700, '2.4'),
    async check(lab) {
      const { user, passPhrase } = lab.target.person
      const { id } = await lab.client()
      const fields = { client_id: id, username: user, password: passPhrase }
      const reply = await lab.post('token', { grant_type: 'password', ...fields })
      return verdict(
        reply.status === 400 && reply.body['access_token'] === undefined,
        `${reply.status} ${String(reply.body['error'])}`,
      )
    },
  },
  {
    id: 'discovery.issuer-in-answers',
    level: 'SHOULD',
    sentence:
      'Authorization servers SHOULD include the iss parameter in authorization responses, and advertise authorization_response_iss_parameter_supported if they do.',
    source: rfc(9207, '3'),
    async check(lab) {
      const value = (await lab.metadata())['authorization_response_iss_parameter_supported']
      return verdict(value === true, JSON.stringify(value) ?? 'absent')
    },
  },
  {
    id: 'discovery.can-register',
    level: 'SHOULD',
    sentence:
      'MCP authorization servers SHOULD support OAuth Client ID Metadata Documents; they MAY support Dynamic Client Registration. (Without either, only known clients can connect.)',
    source: `${MCP}/client-registration#client-registration-approaches`,
    async check(lab) {
      const document = await lab.metadata()
      const ways = ['registration_endpoint', 'client_id_metadata_document_supported'].filter(
        (name) => Boolean(document[name]),
      )
      return verdict(ways.length > 0, ways.join(', ') || 'neither')
    },
  },
]

const isError = ({ status, headers, body }: Reply, ...codes: string[]) =>
  status === 400 &&
  /^application\/json\b/i.test(headers.get('content-type') ?? '') &&
  codes.includes(String(body['error']))

const seen = ({ status, body }: Reply) => `${status} ${textOf(body['error'])}`.trim()

const refusedUri =
  (...uris: string[]): ServerRow['check'] =>
  async (lab) => {
    const findings = await Promise.all(
      uris.map(async (uri) => {
        const reply = await lab.register({ redirect_uris: [uri] })
        const codes = ['invalid_redirect_uri', 'invalid_client_metadata']
        return verdict(isError(reply, ...codes), `${uri}: ${seen(reply)}`)
      }),
    )
    return all(findings)
  }

const registration: readonly ServerRow[] = [
  {
    id: 'registration.metadata-is-returned',
    level: 'MUST',
    sentence:
      'The server responds with 201 and a unique client identifier. Additionally, the authorization server MUST return all registered metadata about this client.',
    source: rfc(7591, '3.2.1'),
    async check(lab) {
      const redirect_uris = ['https://client.example/one', 'https://client.example/two']
      const { status, body } = await lab.register({ redirect_uris })
      const returned = body['redirect_uris']
      return verdict(
        status === 201 &&
          typeof body['client_id'] === 'string' &&
          JSON.stringify(returned) === JSON.stringify(redirect_uris),
        `${status} ${JSON.stringify(returned)}`,
      )
    },
  },
  {
    id: 'registration.redirect-uris-required',
    level: 'MUST',
    sentence:
      'redirect_uris: clients using flows with redirection MUST register their redirection URI values. Authorization servers that support dynamic registration for flows with redirection MUST implement support for this metadata value.',
    source: rfc(7591, '2'),
    async check(lab) {
      const reply = await lab.register({ redirect_uris: undefined })
      return verdict(isError(reply, 'invalid_redirect_uri', 'invalid_client_metadata'), seen(reply))
    },
  },
  {
    id: 'registration.error-form',
    level: 'MUST',
    sentence:
      'When a registration error condition occurs, the authorization server returns an HTTP 400 status code with content type application/json consisting of a JSON object describing the error; error is REQUIRED.',
    source: rfc(7591, '3.2.2'),
    async check(lab) {
      const reply = await lab.register({ redirect_uris: 'not a list' })
      return verdict(isError(reply, 'invalid_redirect_uri', 'invalid_client_metadata'), seen(reply))
    },
  },
  {
    id: 'registration.encrypted-redirects',
    level: 'MUST',
    sentence: 'All redirect URIs MUST be either localhost or use HTTPS.',
    source: `${CONSIDERATIONS}#communication-security`,
    check: refusedUri('http://client.example/callback', 'http://127.0.0.1.evil.example/callback'),
  },
  {
    id: 'registration.no-scripts',
    level: 'MUST',
    sentence:
      'All redirect URIs MUST be either localhost or use HTTPS. (Of the others, a browser would run these as scripts.)',
    source: `${CONSIDERATIONS}#communication-security`,
    check: refusedUri('javascript:alert(1)', 'data:text/html,x'),
  },
  {
    id: 'registration.no-fragment',
    level: 'MUST',
    sentence: 'The redirect URI MUST NOT include a fragment component.',
    source: `${DRAFT}#section-2.3`,
    check: refusedUri('https://client.example/callback#x'),
  },
  {
    id: 'registration.public-client-without-secret',
    level: 'MUST',
    sentence:
      'token_endpoint_auth_method "none": the client is a public client and does not have a client secret.',
    source: rfc(7591, '2'),
    async check(lab) {
      const { status, body } = await lab.register({ redirect_uris: ['https://client.example/c'] })
      return verdict(
        status === 201 && body['client_secret'] === undefined,
        `${status}, ${body['client_secret'] === undefined ? 'no secret' : 'a secret'}`,
      )
    },
  },
  {
    id: 'registration.document-over-https',
    level: 'MUST',
    sentence:
      'Client identifier URLs MUST have an https scheme, and MUST contain a path component.',
    source: `${DOCUMENTS}#section-2`,
    async check(lab) {
      if ((await lab.metadata())['client_id_metadata_document_supported'] !== true)
        return untestable('documents are not supported')
      const ids = ['http://client.example/c.json', 'https://client.example']
      const findings = await Promise.all(
        ids.map(async (id) => {
          const reply = await lab.ask({ id, redirectUri: 'https://client.example/callback' })
          return verdict(reply.status >= 400, `${id}: ${reply.status}`)
        }),
      )
      return all(findings)
    },
  },
  {
    id: 'registration.document-address',
    level: 'MUST',
    sentence:
      'Client identifier URLs MUST NOT contain single-dot or double-dot path segments, MUST NOT contain a fragment component and MUST NOT contain a username or password.',
    source: `${DOCUMENTS}#section-2`,
    async check(lab) {
      if ((await lab.metadata())['client_id_metadata_document_supported'] !== true)
        return untestable('documents are not supported')
      const ids = [
        'https://client.example/a/../c.json',
        'https://client.example/./c.json',
        'https://client.example/c.json#x',
        'https://user:secret@client.example/c.json',
      ]
      const findings = await Promise.all(
        ids.map(async (id) => {
          const reply = await lab.ask({ id, redirectUri: 'https://client.example/callback' })
          return verdict(reply.status >= 400, `${id}: ${reply.status}`)
        }),
      )
      return all(findings)
    },
  },
]

export const serverMetadata: readonly ServerRow[] = [...discovery, ...registration]

/** RFC 9728: the document that says which authorization server to ask. */
import { parameterOf } from '../challenge-header.ts'
import { seenOf } from '../expectations.ts'
import type { Answer } from '../http-client.ts'
import type { Lab } from '../lab.ts'
import {
  DISCOVERY,
  fail,
  type Finding,
  MCP,
  pass,
  rfc,
  type Row,
  untestable,
  verdict,
} from '../row.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

const rootForm = ({ target }: Lab) => new URL(WELL_KNOWN, target.url)

function pathForm({ target }: Lab): URL {
  const { pathname, search } = new URL(target.url)
  return new URL(`${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`, target.url)
}

async function headerForm(lab: Lab): Promise<URL | undefined> {
  const address = parameterOf(lab.challengeOf(await lab.send()), 'resource_metadata')
  return address !== undefined && URL.canParse(address) ? new URL(address) : undefined
}

function read({ status, text }: Answer): Record<string, unknown> | undefined {
  if (status !== 200) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** As a client finds it: by the header, then at the path, then at the root. */
async function found(lab: Lab): Promise<Record<string, unknown> | undefined> {
  for (const url of [await headerForm(lab), pathForm(lab), rootForm(lab)]) {
    const document = url && read(await lab.get(url))
    if (document) return document
  }
  return undefined
}

const member =
  (name: string, isRight: (value: unknown, lab: Lab) => boolean | Finding) => async (lab: Lab) => {
    const document = await found(lab)
    if (!document) return fail('no metadata')
    const value = document[name]
    const result = isRight(value, lab)
    return typeof result === 'boolean'
      ? verdict(result, `${name}: ${JSON.stringify(value) ?? 'absent'}`)
      : result
  }

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

export const metadata: readonly Row[] = [
  {
    id: 'metadata.discoverable',
    level: 'MUST',
    sentence:
      'MCP servers MUST implement one of the following discovery mechanisms: WWW-Authenticate Header, Well-Known URI.',
    source: `${DISCOVERY}#protected-resource-metadata-discovery-requirements`,
    async check(lab) {
      return (await found(lab)) ? pass('found') : fail('neither by header nor well-known')
    },
  },
  {
    id: 'metadata.path-form',
    level: 'MUST',
    sentence:
      "Protected resources supporting metadata MUST make a JSON document containing metadata as specified in Section 2 available at a URL formed by inserting a well-known URI string into the protected resource's resource identifier between the host component and the path and/or query components.",
    source: rfc(9728, '3'),
    async check(lab) {
      const answer = await lab.get(pathForm(lab))
      return verdict(read(answer) !== undefined, seenOf(answer, pathForm(lab).pathname))
    },
  },
  {
    id: 'metadata.root-form',
    level: 'SHOULD',
    sentence:
      'This can be either: at the path of the server’s MCP endpoint, or at the root: https://example.com/.well-known/oauth-protected-resource. (Where it is served, the document must be usable.)',
    source: `${DISCOVERY}#protected-resource-metadata-discovery-requirements`,
    async check(lab) {
      const answer = await lab.get(rootForm(lab))
      if (answer.status >= 400 && answer.status < 500) return pass(`${answer.status}, not served`)
      const servers = read(answer)?.authorization_servers
      return verdict(isStrings(servers) && servers.length > 0, seenOf(answer, WELL_KNOWN))
    },
  },
  {
    id: 'metadata.header-form',
    level: 'MUST',
    sentence:
      'The value of the resource_metadata parameter is the URL of the protected resource metadata. (A client must find it there.)',
    source: rfc(9728, '5.1'),
    async check(lab) {
      const url = await headerForm(lab)
      if (!url) return untestable('no resource_metadata in WWW-Authenticate')
      const answer = await lab.get(url)
      return verdict(read(answer) !== undefined, seenOf(answer, url.href))
    },
  },
  {
    id: 'metadata.media-type',
    level: 'MUST',
    sentence:
      'A successful response MUST use the 200 OK HTTP status code and return a JSON object using the application/json content type.',
    source: rfc(9728, '3.2'),
    async check(lab) {
      const answer = await lab.get((await headerForm(lab)) ?? pathForm(lab))
      const type = answer.headers.get('content-type') ?? 'no content type'
      return verdict(
        read(answer) !== undefined && /^application\/json\b/i.test(type),
        `${answer.status} ${type}`,
      )
    },
  },
  {
    id: 'metadata.resource',
    level: 'MUST',
    sentence:
      "The resource value returned MUST be identical to the protected resource's resource identifier value into which the well-known URI path suffix was inserted to create the URL used to retrieve the metadata. If these values are not identical, the data contained in the response MUST NOT be used.",
    source: rfc(9728, '3.3'),
    async check(lab) {
      const document = read(await lab.get(pathForm(lab)))
      return verdict(
        document?.resource === lab.target.url,
        `resource: ${JSON.stringify(document?.resource) ?? 'absent'}`,
      )
    },
  },
  {
    id: 'metadata.resource-of-header',
    level: 'MUST',
    sentence:
      'When retrieving the metadata by the address in WWW-Authenticate, the resource value returned MUST be identical to the URL that the client used to make the request to the resource server.',
    source: rfc(9728, '3.3'),
    async check(lab) {
      const url = await headerForm(lab)
      if (!url) return untestable('no resource_metadata in WWW-Authenticate')
      const document = read(await lab.get(url))
      return verdict(
        document?.resource === lab.target.url,
        `resource: ${JSON.stringify(document?.resource) ?? 'absent'}`,
      )
    },
  },
  {
    id: 'metadata.resource-is-canonical',
    level: 'SHOULD',
    sentence:
      'Implementations SHOULD consistently use the form without the trailing slash for better interoperability; a canonical URI contains no fragment, and its scheme and host are in lower case.',
    source: `${MCP}#canonical-server-uri`,
    check: member('resource', (value) => {
      if (typeof value !== 'string' || !URL.canParse(value)) return false
      const { host, protocol, hash } = new URL(value)
      return hash === '' && value.startsWith(`${protocol}//${host}`) && !value.endsWith('/')
    }),
  },
  {
    id: 'metadata.authorization-servers',
    level: 'MUST',
    sentence:
      'The Protected Resource Metadata document returned by the MCP server MUST include the authorization_servers field containing at least one authorization server.',
    source: `${DISCOVERY}#authorization-server-location`,
    check: member('authorization_servers', (value) => isStrings(value) && value.length > 0),
  },
  {
    id: 'metadata.issuer-identifier',
    level: 'MUST',
    sentence:
      'authorization_servers: JSON array containing a list of OAuth authorization server issuer identifiers. (The issuer value in the metadata of the authorization server MUST be identical to it.)',
    source: rfc(9728, '2'),
    check: member(
      'authorization_servers',
      (value, { issuer }) => isStrings(value) && value.includes(issuer.url),
    ),
  },
  {
    id: 'metadata.bearer-methods',
    level: 'MUST',
    sentence:
      'bearer_methods_supported: JSON array containing a list of the supported methods of sending an OAuth 2.0 bearer token to the protected resource; defined values are header, body and query. (MCP: tokens MUST NOT be included in the URI query string.)',
    source: rfc(9728, '2'),
    check: member(
      'bearer_methods_supported',
      (value) =>
        value === undefined ||
        (isStrings(value) && value.includes('header') && !value.includes('query')),
    ),
  },
  {
    id: 'metadata.scopes',
    level: 'SHOULD',
    sentence:
      'scopes_supported: RECOMMENDED. JSON array containing a list of scope values that are used in authorization requests to request access to this protected resource. MCP Servers SHOULD NOT include offline_access.',
    source: rfc(9728, '2'),
    check: member('scopes_supported', (value, { target }) => {
      if (target.scopes.length === 0 && value === undefined) {
        return untestable('the server needs no scope (--scope)')
      }
      return isStrings(value) && !value.includes('offline_access')
    }),
  },
  {
    id: 'metadata.no-empty-members',
    level: 'MUST',
    sentence:
      'Parameters with multiple values are represented as JSON arrays. Parameters with zero values MUST be omitted from the response.',
    source: rfc(9728, '3.2'),
    async check(lab) {
      const document = await found(lab)
      if (!document) return fail('no metadata')
      const empty = Object.entries(document).filter(
        ([, value]) => value === null || (Array.isArray(value) && value.length === 0),
      )
      return verdict(empty.length === 0, empty.map(([name]) => name).join(', ') || 'none is empty')
    },
  },
]

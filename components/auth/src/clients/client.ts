/** A client, as it describes itself. None of this is verified, apart from the host of a document. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { plainName } from './plain-name.ts'
import { isHostAllowed, redirectProblem } from './redirect-uri.ts'

export interface Client {
  id: string
  /** As it calls itself. */
  name: string
  redirectUris: readonly string[]
  /** Seconds since the epoch when it registered. @default it has a document */
  registered?: number
}

/** An error of RFC 7591. The message is for the developer of the client. */
export class ClientProblem extends Error {
  override readonly name = 'ClientProblem'
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'
  constructor(code: ClientProblem['code'], message: string) {
    super(message)
    this.code = code
  }
}

const MOST_REDIRECTS = 10
/** In a document of a client, or a registration: bytes of all addresses together, which become part of the client id. */
const MOST_REDIRECT_CHARACTERS = 700

/**
 * Reads the metadata of a client.
 *
 * @param hosts that the operator allows; empty: all.
 * @throws {ClientProblem}
 */
export function readMetadata(value: unknown, hosts: readonly string[]): Omit<Client, 'id'> {
  if (!isObject(value)) throw invalid('the metadata must be a JSON object')
  const { redirect_uris: uris, client_name: name } = value
  if (!isArrayOf(uris, isString) || uris.length === 0) {
    throw redirect('redirect_uris must be a list of addresses, at least one')
  }
  const redirectUris = [...new Set(uris)]
  if (redirectUris.length > MOST_REDIRECTS)
    throw redirect(`redirect_uris may have at most ${MOST_REDIRECTS} addresses`)
  for (const [index, uri] of redirectUris.entries()) {
    const problem = redirectProblem(uri)
    if (problem) throw redirect(`redirect_uris[${index}] ${problem}`)
    if (!isHostAllowed(hosts, uri))
      throw redirect(
        `redirect_uris[${index}] has a host that this server does not allow (auth_client_hosts)`,
      )
  }
  if (redirectUris.join('').length > MOST_REDIRECT_CHARACTERS)
    throw redirect(`redirect_uris may have at most ${MOST_REDIRECT_CHARACTERS} characters together`)
  // Some programs write null for what they leave out.
  const grants = value['grant_types'] ?? undefined
  const responses = value['response_types'] ?? undefined
  if (
    grants !== undefined &&
    !(isArrayOf(grants, isString) && grants.includes('authorization_code'))
  )
    throw invalid('grant_types must have authorization_code')
  if (responses !== undefined && !(isArrayOf(responses, isString) && responses.includes('code')))
    throw invalid('response_types must have code')
  return { name: isString(name) ? plainName(name) : '', redirectUris }
}

const invalid = (message: string) => new ClientProblem('invalid_client_metadata', message)
const redirect = (message: string) => new ClientProblem('invalid_redirect_uri', message)

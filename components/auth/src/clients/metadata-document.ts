/**
 * Clients whose id is the https address of a document that describes them. Any stranger can make this server request an
 * address, so the address must be public, the manifest must allow its host, and the answer is limited.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
import { isObject } from 'ftl-contract'
import {
  discard,
  fetchUntilResponse,
  jsonIn,
  type Network,
  readText,
  urlIn,
  withDeadline,
} from 'ftl-http'
import { type Client, ClientProblem, readMetadata } from './client.ts'
import { freshMs } from './known-documents.ts'

const TIMEOUT_MS = 5_000
const LIMIT = 16 * 1024
const LONGEST_ID = 500

/** Names that only a network inside knows, and addresses. */
const INSIDE =
  /^(\[.*\]|[\d.]+|(.*\.)?(internal|local|localhost|lan|home|corp|intranet|test|invalid|arpa|onion)\.?|[^.]+\.?)$/

/** The document cannot be used. The message is for the user's page. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem'
}

/** @returns the address, if the id has the form of one that may be requested. */
export function documentAddress(id: string): URL | undefined {
  if (!id.startsWith('https://') || id.length > LONGEST_ID) return undefined
  const url = urlIn(id)
  if (!url || url.href !== id || url.hash !== '' || url.username !== '' || url.password !== '')
    return undefined
  // A document of a whole host would speak for all of its users.
  if (url.pathname === '/' || url.port !== '' || INSIDE.test(url.hostname)) return undefined
  return url
}

/**
 * Requests the document.
 *
 * @param address of {@link documentAddress}.
 * @returns the client, and for how many milliseconds it may be kept.
 * @throws {DocumentProblem}
 */
export async function documentedClient(
  network: Network,
  address: URL,
  hosts: readonly string[],
): Promise<{ client: Client; fresh: number }> {
  const id = address.href
  const { document, fresh } = await requested(network, address)
  if (!isObject(document) || document['client_id'] !== id) {
    throw new DocumentProblem(
      'The document of the client does not name its own address as client_id.',
    )
  }
  const method = document['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none')
    throw new DocumentProblem(
      'The document of the client must have token_endpoint_auth_method "none".',
    )
  try {
    return { client: { id, ...readMetadata(document, hosts) }, fresh }
  } catch (error) {
    if (error instanceof ClientProblem)
      throw new DocumentProblem(`The document of the client cannot be used: ${error.message}.`)
    throw error
  }
}

async function requested(
  network: Network,
  address: URL,
): Promise<{ document: unknown; fresh: number }> {
  try {
    return await withDeadline(TIMEOUT_MS, async (signal) => {
      // A redirect could lead to an address inside the network.
      const response = await fetchUntilResponse(network, address.href, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        signal,
      })
      if (response.status !== 200) {
        discard(response)
        return { document: undefined, fresh: 0 }
      }
      const document = jsonIn(await readText(response, { limit: LIMIT, signal }))
      return { document, fresh: freshMs(response.headers) }
    })
  } catch (error) {
    console.warn(`the document of a client at ${address.origin} cannot be requested:`, error)
    throw new DocumentProblem(
      `The document of the client at ${address.host} cannot be requested. The operator of this server may have to add https://${address.host} to allowed_outbound_hosts of the component auth.`,
    )
  }
}

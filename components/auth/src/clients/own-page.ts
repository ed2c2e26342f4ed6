/**
 * The page of the same application as a client. Its document is at this server's own address, which the component cannot request
 * in most deployments, and need not: what the document says follows from the address.
 */
import { type Client, ClientProblem, readMetadata } from './client.ts'

/** As the component `web` serves them. */
const PAGE_DOCUMENT = '/app/oauth/client.json'
const PAGE_REDIRECT = '/app/oauth/redirect'

/**
 * @param issuer this server. @param hosts that clients may send their users back to; empty: all.
 * @returns `undefined` if the id is not that of the page.
 */
export function ownPage(
  id: string,
  issuer: string,
  hosts: readonly string[],
): Client | { problem: string } | undefined {
  if (id !== issuer + PAGE_DOCUMENT) return undefined
  const document = {
    client_name: `ftl on ${new URL(issuer).host}`,
    redirect_uris: [issuer + PAGE_REDIRECT],
  }
  try {
    return { id, ...readMetadata(document, hosts) }
  } catch (error) {
    if (error instanceof ClientProblem)
      return { problem: `The page of this server cannot be used: ${error.message}.` }
    throw error
  }
}

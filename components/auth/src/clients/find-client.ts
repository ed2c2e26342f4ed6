/** The client of an id. */
import type { Scope } from '../scope.ts'
import { senderOf } from '../users/address.ts'
import { countDocument, tooMany, whenAgain } from '../users/throttle.ts'
import type { Client } from './client.ts'
import { keepDocument, knownDocument } from './known-documents.ts'
import { documentAddress, documentedClient, DocumentProblem } from './metadata-document.ts'
import { ownPage } from './own-page.ts'
import { registeredClient } from './registration.ts'
import { hasExpired } from './used-clients.ts'

const UNKNOWN =
  'This server does not know the client. Its registration may have expired: connect the client again, so that it registers.'
const NO_ADDRESS = 'The id of the client is not an address that can be requested.'

/** Why there is no client, for the user's page. */
export interface NoClient {
  problem: string
  status?: number
  headers?: Readonly<Record<string, string>>
}

export async function findClient(scope: Scope, id: string): Promise<Client | NoClient> {
  if (id.startsWith('https://')) return documented(scope, id)
  const { platform, sealer, vault } = scope
  const client = await registeredClient(sealer, id)
  if (!client || (await hasExpired(vault, client, platform.now()))) return { problem: UNKNOWN }
  return client
}

async function documented(scope: Scope, id: string): Promise<Client | NoClient> {
  const { settings, platform, vault, request } = scope
  const page = ownPage(id, settings.issuer, settings.clientHosts)
  if (page) return page
  const address = documentAddress(id)
  if (!address) return { problem: NO_ADDRESS }
  const now = platform.now()
  const known = await knownDocument(vault, id, now)
  if (known?.isFresh) return known.client
  const attempt = await countDocument(vault, now, senderOf(request.headers))
  if (!attempt.isAllowed) {
    // Strangers who use up the requests must not keep out users of a client that is known.
    if (known) return known.client
    const problem = `Too many clients were looked up. ${whenAgain(attempt)}`
    return { problem, ...tooMany(attempt) }
  }
  try {
    const { client, fresh } = await documentedClient(platform, address, settings.clientHosts)
    await keepDocument(vault, client, { now, fresh })
    return client
  } catch (error) {
    if (error instanceof DocumentProblem) return { problem: error.message }
    throw error
  }
}

/** The client of an id. */
import type { Scope } from '../scope.ts'
import type { Client } from './client.ts'
import { documentedClient, DocumentProblem } from './metadata-document.ts'
import { registeredClient } from './registration.ts'
import { hasExpired } from './used-clients.ts'

const UNKNOWN =
  'This server does not know the client. Its registration may have expired: connect the client again, so that it registers.'

/** @returns what is wrong, for the user's page, if it is a string. */
export async function findClient(
  { settings, platform, sealer, vault }: Scope,
  id: string,
): Promise<Client | string> {
  if (id.startsWith('https://')) {
    try {
      return await documentedClient(platform, id, settings.clientHosts)
    } catch (error) {
      if (error instanceof DocumentProblem) return error.message
      throw error
    }
  }
  const client = await registeredClient(sealer, id)
  if (!client || (await hasExpired(vault, client, platform.now()))) return UNKNOWN
  return client
}

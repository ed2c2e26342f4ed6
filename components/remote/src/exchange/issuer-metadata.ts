/** The metadata of an authorization server that exchanges tokens. */
import { AuthenticationError, discoverIssuer, type Tokens } from 'ftl-client/server-side'
import { isString } from 'ftl-contract'
import { fetchFor, type Vault } from '../consent/consents.ts'
import type { ExchangeServer } from './settings.ts'

/** Milliseconds for which it is kept. */
const METADATA_MS = 3_600_000

export type Metadata = Awaited<ReturnType<typeof discoverIssuer>>

/**
 * A request with the metadata of the authorization server of `server`, which is kept for an hour.
 *
 * @throws {AuthenticationError}
 */
export async function requested(
  vault: Vault,
  server: ExchangeServer,
  request: (as: Metadata) => Promise<Tokens>,
): Promise<Tokens> {
  const known = await knownMetadata(vault, server)
  if (!known) return request(await newMetadata(vault, server))
  try {
    return await request(known)
  } catch (error) {
    // With a code, the authorization server has refused. Without one, its endpoint may have moved.
    if (!(error instanceof AuthenticationError) || isString(error.cause)) throw error
    const found = await newMetadata(vault, server)
    if (found.token_endpoint === known.token_endpoint) throw error
    return request(found)
  }
}

const purposeOf = ({ auth: { issuer } }: ExchangeServer) => ['issuer', issuer]

async function knownMetadata(
  { entries, platform }: Vault,
  server: ExchangeServer,
): Promise<Metadata | undefined> {
  const purpose = purposeOf(server)
  const known = await entries.registration<{ as: Metadata; until: number }>(server.name, purpose)
  return known && platform.now() < known.until ? known.as : undefined
}

async function newMetadata(vault: Vault, server: ExchangeServer): Promise<Metadata> {
  const { entries, platform } = vault
  const { issuer } = server.auth
  const as = await discoverIssuer(issuer, new URL(issuer), fetchFor(vault, { url: issuer }))
  const until = platform.now() + METADATA_MS
  await entries.keepRegistration(server.name, purposeOf(server), { as, until })
  return as
}

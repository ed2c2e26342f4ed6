/** The parts of the user's consent that a request needs. */
import {
  type BoundedFetch,
  boundedFetch,
  type ClientSettings,
  type RegisteredClient,
} from 'ftl-client/server-side'
import type { ContextPlatform, ToolContext } from 'ftl-sdk'
import { hidden, redact } from '../redact.ts'
import type { RemoteServer } from '../servers.ts'
import { type Entries, openEntries, type Owner } from './entries.ts'
import { openSealer, type Sealer } from './seal.ts'
import { type Consent, consentSettings, keyIn, NO_KEY } from './settings.ts'

/** A server where each user signs in. */
export type ConsentServer = RemoteServer & { auth: Consent }

/** Where tokens of users are kept. */
export interface Vault {
  sealer: Sealer
  entries: Entries
  platform: ContextPlatform
}

export interface Consents extends Vault {
  /** Where browsers reach this component: `https://gateway.example/connect`. */
  address: string
}

type Opening = Pick<ToolContext, 'platform' | 'component'>

/** A returned string is the problem. */
export function openVault({ platform, component }: Opening): Vault | string {
  const key = keyIn(platform.variables)
  if (key === undefined) return NO_KEY
  const sealer = openSealer(key)
  return { sealer, entries: openEntries(platform, component, sealer), platform }
}

/** A returned string is the problem. */
export function openConsents(context: Opening): Consents | string {
  const settings = consentSettings(context.platform.variables)
  const vault = openVault(context)
  if (typeof settings === 'string') return settings
  return typeof vault === 'string' ? vault : { ...vault, address: settings.address }
}

export function isConsentServer(server: RemoteServer): server is ConsentServer {
  return server.auth !== undefined && server.auth.type === undefined
}

export function ownerOf({ name, url }: RemoteServer, principal: string): Owner {
  return { server: name, url, principal }
}

/**
 * For addresses that the server and its authorization server name.
 *
 * @param secrets are removed from refusals, whose words users and models read: some authorization servers repeat what
 * they were sent.
 */
export function fetchFor(
  { platform }: Pick<Vault, 'platform'>,
  { url }: Pick<RemoteServer, 'url'>,
  secrets: readonly string[] = [],
): BoundedFetch {
  const fetch = boundedFetch(new URL(url), { fetch: hostFetch(platform) })
  return async (address, init) => {
    const response = await fetch(address, init)
    if (response.ok || secrets.length === 0) return response
    const { status, statusText, headers } = response
    return new Response(redact(await response.text(), hidden(secrets)), {
      status,
      statusText,
      headers,
    })
  }
}

/** Secrets that a client authenticates with. */
export function secretsOfClient(client: RegisteredClient, settings: ClientSettings): string[] {
  return [client.secret, settings.secret].filter((each) => each !== undefined)
}

export function hostFetch(platform: ContextPlatform): typeof globalThis.fetch {
  return (input, init) => platform.fetch(input, init)
}

/** Who this component is at the authorization server of `server`. */
export function clientSettings({ address }: Consents, { auth }: ConsentServer): ClientSettings {
  const { clientId, clientSecret, issuer } = auth
  return {
    ...(clientId !== undefined && { id: clientId }),
    ...(clientSecret !== undefined && { secret: clientSecret }),
    ...(issuer !== undefined && { issuer }),
    // Authorization servers request it, so it needs a public address.
    ...(address.startsWith('https:') && { metadataUrl: `${address}/client.json` }),
  }
}

export function redirectUri({ address }: Consents): string {
  return `${address}/callback`
}

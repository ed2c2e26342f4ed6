/** What belongs to one request. */
import type { Platform } from 'ftl-platform'
import { createSealer, type Sealer } from './crypto/seal.ts'
import { createSettings, type Settings } from './settings.ts'
import { createVault, type Vault } from './vault.ts'

/** The part of the platform that is used. */
export type AuthPlatform = Pick<
  Platform,
  'variables' | 'now' | 'fetch' | 'randomUUID' | 'openKeyValue'
>

export interface Scope {
  request: Request
  platform: AuthPlatform
  settings: Settings
  sealer: Sealer
  vault: Vault
}

/** @throws {ConfigurationError} */
export function createScope(request: Request, platform: AuthPlatform): Scope {
  const settings = createSettings(platform.variables)
  const sealer = createSealer(settings.key)
  const vault = createVault(() => platform.openKeyValue('default'), sealer)
  return { request, platform, settings, sealer, vault }
}

/** Platforms whose limits this host can keep to, so that what would fail there fails on the developer's machine. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EntryRules } from '../kv/entry-rules.ts'
import { type Manifest, ManifestError } from '../manifest/manifest.ts'

/** `akamai`: Akamai Functions. */
export type PlatformName = 'akamai'

/** For a flag of a command. */
export const PLATFORM_NAMES: readonly PlatformName[] = ['akamai']

/** Options of the host that a platform bounds. */
interface Bounded {
  platform?: PlatformName | undefined
  requestTimeoutMs?: number | undefined
  maxInstanceMemory?: number | undefined
  maxBodyBytes?: number | undefined
  maxResponseBytes?: number | undefined
  maxStoreBytes?: number | undefined
}

interface Platform {
  title: string
  /** Bytes of all components together. */
  applicationBytes: number
  /** The only label of a store; there is no runtime configuration that could define others. */
  store: string
  /** Upper bounds; a stricter option of the host holds. */
  limits: Readonly<Record<Exclude<keyof Bounded, 'platform'>, number>>
  entries: EntryRules
}

const MIB = 1024 ** 2

/**
 * What a platform does beyond a limit is mostly not published; here a request fails. The rates are those of the whole
 * application, and each thread gets its share.
 *
 * @see https://techdocs.akamai.com/akamai-functions/docs/quotas-and-limits
 */
const PLATFORMS: Readonly<Record<PlatformName, Platform>> = {
  akamai: {
    title: 'Akamai Functions',
    applicationBytes: 50 * MIB,
    store: 'default',
    limits: {
      requestTimeoutMs: 30_000,
      maxInstanceMemory: 128 * MIB,
      maxBodyBytes: 10 * MIB,
      maxResponseBytes: 10 * MIB,
      maxStoreBytes: 2 * 1024 * MIB,
    },
    entries: {
      keyBytes: 8 * 1024,
      valueBytes: 1_000_000,
      readsPerSecond: 1000,
      writesPerSecond: 50,
      compares: false,
    },
  },
}

/** The options with the limits of their platform; a limit that is already lower stays. */
export function withPlatform<T extends Bounded>(options: T): T {
  const { platform } = options
  if (platform === undefined) return options
  const limits = Object.entries(PLATFORMS[platform].limits).map(([name, most]) => [
    name,
    Math.min(most, options[name as keyof Platform['limits']] ?? most),
  ])
  return { ...options, ...Object.fromEntries(limits) } as T
}

export function entryRulesOf(platform: PlatformName | undefined): EntryRules | undefined {
  return platform && PLATFORMS[platform].entries
}

/** @throws {ManifestError} when the platform would not accept the application. */
export function checkPlatform(
  { file, folder, components }: Manifest,
  platform: PlatformName | undefined,
): void {
  if (platform === undefined) return
  const { title, store, applicationBytes } = PLATFORMS[platform]
  const sizes: [id: string, bytes: number][] = []
  for (const { id, source, keyValueStores } of components.values()) {
    const other = keyValueStores.find((label) => label !== store && label !== `${id}.${store}`)
    if (other !== undefined) {
      const key = `component.${id}.key_value_stores`
      throw new ManifestError(file, key, `"${other}": ${title} has only the store "${store}"`)
    }
    if (typeof source !== 'string') continue
    const bytes = statSync(resolve(folder, source), { throwIfNoEntry: false })?.size ?? 0
    sizes.push([id, bytes])
  }
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0)
  if (bytes <= applicationBytes) return
  const largest = sizes.toSorted(([, a], [, b]) => b - a).slice(0, 5)
  const list = largest.map(([id, size]) => `${id} ${mib(size)}`).join(', ')
  const reason =
    `the components take ${mib(bytes)}, and ${title} accepts ${mib(applicationBytes)} (largest: ${list}); ` +
    'put several tools into one component, or leave components out'
  throw new ManifestError(file, 'component', reason)
}

const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`

/**
 * The runtime configuration: where stores and variables of an application come from on this machine.
 * @see https://spinframework.dev/v4/dynamic-configuration#runtime-configuration
 */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { StoreDefinition, StoreDefinitions } from '../kv/state.ts'
import { ManifestError } from '../manifest/manifest.ts'
import { Table } from '../manifest/table.ts'
import { parseToml } from '../manifest/toml.ts'
import type { AuditOptions } from '../audit/audit-options.ts'
import type { RateLimitOptions } from '../limits/rate-limit-options.ts'
import { parseRate } from '../limits/rate.ts'
import type { VariablesProvider } from '../variables/provider.ts'
import { type HostLimits, readHostLimits } from './host-limits.ts'

/** A runtime configuration, checked. */
export interface RuntimeConfig {
  /** By label. */
  stores: StoreDefinitions
  /** The first provider that has a value for a name wins. */
  providers: readonly VariablesProvider[]
  /** Empty means none. */
  stateDir: string | undefined
  /** Empty means none. */
  logDir: string | undefined
  /** Bytes. */
  maxInstanceMemory: number | undefined
  /** `[limits]`; options of the host win. */
  limits: HostLimits
  /** `[rate_limits]`; options of the host win. */
  rateLimits: RateLimitOptions
  /** `[audit_log]`; options of the host win. */
  audit: AuditOptions
}

/** Keys that Spin supports and this host does not. */
const NOT_HERE = ['sqlite_database', 'llm_compute', 'client_tls', 'blob_store', 'outbound_http']

/** @throws {ManifestError} naming the file and the key that is invalid, unknown or not supported. */
export async function loadRuntimeConfig(path: string): Promise<RuntimeConfig> {
  const file = resolve(path)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ManifestError(file, '', `cannot be read (${error.code})`)
  })
  return parseRuntimeConfig(text, file)
}

/** @param file its absolute path: relative paths of stores are resolved against its folder. */
export function parseRuntimeConfig(text: string, file: string): RuntimeConfig {
  const root = new Table(parseToml(text, file), {
    file,
    path: '',
    what: 'a runtime configuration',
  })
  for (const key of NOT_HERE) {
    if (root.has(key)) throw root.error(key, 'is not supported by this host')
  }
  const config: RuntimeConfig = {
    stores: readStores(root.table('key_value_store'), dirname(file)),
    providers: ['variables_provider', 'config_provider'].flatMap((key) =>
      root.array(key).map((value, index) => readProvider(root.asTable(`${key}[${index}]`, value))),
    ),
    stateDir: root.optionalString('state_dir'),
    logDir: root.optionalString('log_dir'),
    maxInstanceMemory: readCount(root, 'max_instance_memory', 'a number of bytes'),
    limits: readHostLimits(root.table('limits')),
    rateLimits: readRateLimits(root.table('rate_limits')),
    audit: readAudit(root.table('audit_log'), dirname(file)),
  }
  root.done()
  return config
}

function readStores(table: Table, folder: string): StoreDefinitions {
  return Object.fromEntries(
    table.keys().map((label) => [label, readStore(table.table(label), folder)]),
  )
}

function readStore(table: Table, folder: string): StoreDefinition {
  const type = table.string('type')
  if (type === 'spin') {
    const path = table.optionalString('path')
    table.done()
    return path === undefined ? { type } : { type, file: resolve(folder, path) }
  }
  if (type === 'redis') {
    const url = table.string('url')
    if (!/^rediss?:\/\/./.test(url))
      throw table.error('url', 'must begin with redis:// or rediss://')
    table.done()
    return { type, url }
  }
  throw table.error('type', `"${type}" is not supported by this host; it has "spin" and "redis"`)
}

function readProvider(table: Table): VariablesProvider {
  const type = table.string('type')
  if (type === 'static') {
    const values = table.stringTable('values')
    table.done()
    return { type, values }
  }
  if (type === 'env') {
    const dotenv = table.optionalString('dotenv_path')
    const prefix = table.optionalString('prefix') ?? 'SPIN_VARIABLE'
    table.done()
    // Like in Spin, relative to the working directory and not to the runtime configuration.
    return { type, prefix, dotenvFile: dotenv === undefined ? undefined : resolve(dotenv) }
  }
  throw table.error('type', `"${type}" is not supported by this host; it has "static" and "env"`)
}

function readRateLimits(table: Table): RateLimitOptions {
  const rate = (key: string) => {
    const text = table.optionalString(key)
    if (text === undefined || text === 'none' || parseRate(text)) return text
    throw table.error(
      key,
      'must be a number of requests and a unit of time (s, m, h, d), such as "600/m"',
    )
  }
  const limits = defined<RateLimitOptions>({
    rateLimit: rate('caller'),
    rateLimitAddress: rate('address'),
    rateLimitFailures: rate('failures'),
    burst: readCount(table, 'burst', 'a number of requests'),
    maxCallsPerCaller: readCount(table, 'max_calls_per_caller', 'a number of calls'),
  })
  table.done()
  return limits
}

function readAudit(table: Table, folder: string): AuditOptions {
  const path = table.optionalString('path')
  const audit = defined<AuditOptions>({
    auditLog: path === undefined || path === '' ? undefined : resolve(folder, path),
    auditOtlp: readFlag(table, 'otlp'),
    auditRequired: readFlag(table, 'required'),
    auditSync: readFlag(table, 'sync'),
    auditMaxBytes: readCount(table, 'max_bytes', 'a number of bytes'),
  })
  table.done()
  return audit
}

function readFlag(table: Table, key: string): boolean | undefined {
  const value = table.raw(key)
  if (value === undefined || typeof value === 'boolean') return value
  throw table.error(key, 'must be true or false')
}

/** Only the members that have a value, so that the others do not replace those of another source. */
function defined<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

function readCount(table: Table, key: string, what: string): number | undefined {
  const value = table.raw(key)
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw table.error(key, `must be ${what}`)
}

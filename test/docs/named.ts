/** What the code reads and reports, found in the code itself, so that the reference cannot miss any of it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { parseManifest } from '../../host/src/manifest/parse.ts'
import { Table } from '../../host/src/manifest/table.ts'
import { parseRuntimeConfig } from '../../host/src/runtime-config/runtime-config.ts'
import { REPOSITORY } from '../support/command.ts'

/** Names in these manifests that a reader chooses. */
const CHOSEN = /^(any\w*|http|spin)$/

const MANIFEST = `
spin_manifest_version = 2
[application]
name = "any"
[application.trigger.http]
base = "/"
[variables]
any = { default = "" }
[[trigger.http]]
route = { private = true }
component = "any"
executor = { type = "http" }
[[trigger.http]]
route = "/any"
static_response = { headers = { any = "" } }
[component.any]
source = "any.wasm"
files = [{ source = "any", destination = "/any" }]
environment = { any = "" }
[component.any.build]
command = "any"
[component.any.profile.any]
source = { url = "any", digest = "any" }
[component.any.profile.any.build]
command = "any"
[component.anything]
source = { registry = "any", package = "any", version = "any" }
`

const RUNTIME_CONFIG = `
[key_value_store.any]
type = "spin"
path = "any"
[key_value_store.anything]
type = "redis"
url = "redis://any"
[[variables_provider]]
type = "env"
[[variables_provider]]
type = "static"
values = { any = "" }
`

/** Every key that the parser of a manifest asks for. */
export const manifestKeys = (): string[] =>
  keysRead(() => parseManifest(MANIFEST, join(REPOSITORY, 'spin.toml')))

export const runtimeConfigKeys = (): string[] =>
  keysRead(() => parseRuntimeConfig(RUNTIME_CONFIG, join(REPOSITORY, 'runtime.toml')))

/** Watches the tables while `work` reads them. */
function keysRead(work: () => unknown): string[] {
  const keys = new Set<string>()
  const spies = (['raw', 'has', 'ignore'] as const).map((method) =>
    vi.spyOn(Table.prototype, method),
  )
  try {
    work()
    for (const spy of spies)
      for (const call of spy.mock.calls) for (const key of call) keys.add(key)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return [...keys].filter((key) => !CHOSEN.test(key) && !key.includes('[')).sort()
}

/** Set by `ftl` for a process that it starts, and the prefix of a family. */
const INTERNAL = new Set(['FTL_INSIDE_BUILD'])

/** Environment variables of `ftl` that the code of the commands and the client names. */
export function environmentVariables(): string[] {
  const found = sources(/^(cli|client)\/src\//).flatMap(
    (text) => text.match(/\bFTL_[A-Z_]+\b/g) ?? [],
  )
  return [...new Set(found)].filter((name) => !INTERNAL.has(name)).sort()
}

/** `code` of the errors of plain HTTP: a literal beside a status, or of a member `code`. */
export function errorCodes(): string[] {
  const found = sources(/^gateway\/src\//).flatMap((text) => [
    ...[...text.matchAll(/\b[45]\d\d,\s*'([a-z]+(?:_[a-z]+)*)'/g)].map(([, code = '']) => code),
    ...[...text.matchAll(/\bcode(?::| =)([^\n;,]*)/g)].flatMap(([, rest = '']) =>
      [...rest.matchAll(/[:?] '([a-z]+(?:_[a-z]+)*)'|^ '([a-z]+(?:_[a-z]+)*)'/g)].map(
        ([, first, second]) => first ?? second ?? '',
      ),
    ),
  ])
  return [...new Set(found)].filter((code) => code !== '' && code !== 'string').sort()
}

/** JSON-RPC codes that clients can get. */
export function rpcCodes(): string[] {
  const texts = sources(/^(gateway|sdk|components\/[\w-]+)\/src\//)
  return [...new Set(texts.flatMap((text) => text.match(/-32\d{3}\b/g) ?? []))].sort()
}

/** Kinds of failed jobs: those of ComfyUI, and literals in the SDK and the gateway. */
export function failureKinds(): string[] {
  const comfyui = sources(/^comfyui\/src\//).flatMap((text) => {
    const [, union = ''] = /export type ComfyErrorKind =([^;]*?)\n\n/.exec(text) ?? []
    return [...union.matchAll(/'(\w+)'/g)].map(([, kind = '']) => kind)
  })
  const others = sources(/^(sdk|gateway|components\/[\w-]+)\/src\//).flatMap((text) =>
    [...text.matchAll(/message[^\n]*kind: '([a-z_]+)'|data: \{ kind: '([a-z_]+)'/g)].map(
      ([, first, second]) => first ?? second ?? '',
    ),
  )
  return [...new Set([...comfyui, ...others])].sort()
}

/** Texts of the product's sources, without tests. */
function sources(where: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files'], { cwd: REPOSITORY, encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((file) => where.test(file) && /(?<!\.test|\.d)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(REPOSITORY, file), 'utf8'))
}

/** `ftl build --target`: a component, or the whole application, as a Cloudflare Worker or as a server on Node. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ComponentManifest, Manifest } from 'ftl-host'
import { bundleScript, type ScriptTarget } from '../build/script-bundle.ts'
import { serverOf } from '../application/server-of.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { checkOptions } from '../members/check-options.ts'
import { joinComponents } from '../members/join-components.ts'
import { memberTargets } from '../members/member-targets.ts'
import { bindingOf, checkTarget, WORKER_FILES_LIMIT, WORKER_LIMIT } from './check-target.ts'
import { mountedFiles } from './mounted.ts'
import { wranglerConfig } from './wrangler-config.ts'

export interface BuiltScript {
  name: string
  /** Absolute path of the folder. */
  folder: string
  /** Bytes of the script. */
  bytes: number
  /** The same compressed, of a Worker. */
  compressed: number | undefined
  stores: readonly string[]
  /** Variables whose values are secret, or that have none. */
  toSet: readonly string[]
  hasGateway: boolean
}

export interface ScriptRequest {
  manifest: Manifest
  target: ScriptTarget
  name: string
  components: readonly ComponentManifest[]
  /** Public routes of each component; a component by itself gets every request. */
  routes: (id: string) => readonly string[]
  /** Replaces variables: the list of tools that are in it. */
  variables?: Readonly<Record<string, string>>
}

/** @throws {CommandFailure} or {BuildError} naming what cannot be built. */
export async function buildScript(request: ScriptRequest): Promise<BuiltScript> {
  const { manifest, target, name, components, routes } = request
  checkOptions(components, `--target ${target}`)
  const joined = joinComponents(components, routes)
  checkTarget(name, joined, target)
  const values = { ...joined.variables, ...request.variables }
  const members = await memberTargets(manifest, name, { ...joined, variables: values })
  const files = mountedFiles(manifest, {
    files: [...joined.files],
    excludeFiles: [...joined.excludeFiles],
  })
  const size = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  if (target === 'workers' && size > WORKER_FILES_LIMIT) {
    throw new CommandFailure(
      `--target workers: ${name}: its files have ${size} bytes and become part of the Worker: at most ${WORKER_FILES_LIMIT}`,
    )
  }
  const hosts = joined.hosts.filter((host) => !/\.spin\.internal\b/.test(host))
  const variables = usedVariables(manifest, [...Object.values(values), ...hosts])
  const bindings = Object.fromEntries(joined.stores.map((label) => [label, bindingOf(label)]))
  const base = { variables: Object.fromEntries(variables), values, hosts }
  const code = await bundleScript({
    id: name,
    target,
    members,
    server: serverOf(manifest),
    nodeCompat: components.some(({ tool }) => tool['ftl']?.['node_compat'] === true),
    config:
      target === 'workers'
        ? { ...base, stores: bindings, files: inBase64(files) }
        : { ...base, stores: joined.stores },
  })
  const compressed = target === 'workers' ? gzipSync(code).length : undefined
  if (compressed !== undefined && compressed > WORKER_LIMIT) {
    throw new CommandFailure(
      `--target workers: ${name}: the Worker has ${compressed} bytes compressed, and Cloudflare accepts ${WORKER_LIMIT}: name fewer components`,
    )
  }
  const source = components[0]?.source
  const folder = resolve(
    manifest.folder,
    typeof source === 'string' ? dirname(source) : 'dist',
    target,
    name,
  )
  await rm(join(folder, 'files'), { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, target === 'workers' ? 'worker.js' : 'server.mjs'), code)
  if (target === 'workers') {
    await writeFile(join(folder, 'wrangler.json'), wranglerConfig(name, variables, bindings))
  } else {
    for (const [path, content] of files) {
      const to = join(folder, 'files', path)
      await mkdir(dirname(to), { recursive: true })
      await writeFile(to, content)
    }
  }
  return {
    name,
    folder,
    bytes: Buffer.byteLength(code),
    compressed,
    stores: Object.values(bindings),
    toSet: [...variables].flatMap(([variable, { secret, required, default: value }]) =>
      secret || (required && value === undefined) ? [variable] : [],
    ),
    hasGateway: Object.hasOwn(values, 'tool_components'),
  }
}

function usedVariables(
  { variables }: Manifest,
  templates: readonly string[],
): Manifest['variables'] {
  const names = new Set(
    [...templates.join('\n').matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name),
  )
  return new Map([...variables].filter(([name]) => names.has(name)))
}

function inBase64(files: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries([...files].map(([path, content]) => [path, content.toString('base64')]))
}

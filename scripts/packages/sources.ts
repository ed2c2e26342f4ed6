/** Which packages there are, and what is particular to each. */
import { existsSync, readdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { addDocumentation } from './documentation.ts'
import { addEngine, engineDependencies } from './engine.ts'
import { inlineDependencies, type Libraries } from './inline.ts'
import { type Dependencies, type PackedManifest, REPOSITORY } from './manifest.ts'
import { addParts } from './parts.ts'
import { addRustCrates } from './rust.ts'

export interface PackageSource {
  /** In the repository; also the order in which they are made, each after those it imports. */
  folder: string
  /** Modules that no export leads to, because they are started by their address. */
  modules?: string[]
  /** Other targets of `imports` than in the repository. */
  imports?: Dependencies
  /** Last changes to the staged folder and its manifest. */
  finish?: (staged: string, manifest: PackedManifest) => Promise<void>
}

const SOURCES: readonly PackageSource[] = [
  { folder: 'platform' },
  { folder: 'contract' },
  { folder: 'http' },
  { folder: 'sdk' },
  { folder: 'comfyui' },
  { folder: 'components/workflows' },
  { folder: 'components', finish: addParts },
  { folder: 'gateway' },
  {
    folder: 'host',
    modules: [
      './src/worker/entry.ts',
      './src/prepare/validator-thread.ts',
      './src/process/entry.ts',
    ],
    finish: finishHost,
  },
  { folder: 'bridge', modules: ['./src/worker.ts'] },
  { folder: 'client' },
  { folder: 'create-ftl-tool' },
  {
    folder: 'cli',
    modules: [
      './src/build/shipped-wit.ts',
      './src/build/shipped-engine.ts',
      './src/dev/stand-in/component.ts',
      ...modulesIn('cli', 'src/build/node-compat/runtime'),
    ],
    imports: {
      '#engine': './src/build/shipped-engine.ts',
      '#remote': 'ftl-components/remote/index.js',
      '#wasm-tools': './engine/wasm-tools/index.js',
      '#world': './src/build/shipped-wit.ts',
    },
    finish: finishCommand,
  },
]

/** Each becomes part of a component, if it is imported there. */
function modulesIn(folder: string, path: string): string[] {
  return readdirSync(join(REPOSITORY, folder, path)).map((name) => `./${path}/${name}`)
}

/** Those whose folder is there. */
export function packageSources(): PackageSource[] {
  return SOURCES.filter(({ folder }) => existsSync(join(REPOSITORY, folder, 'package.json')))
}

/** What the host uses of a library that becomes a module of its package. */
export const HOST_LIBRARIES: Libraries = { '@redis/client': ['createClient', 'RESP_TYPES'] }

/** The same for the command. */
export const COMMAND_LIBRARIES: Libraries = {
  // As a package it takes 7 MB, most of them in formats that are not used here.
  '@modelcontextprotocol/server': '*',
  '@modelcontextprotocol/server/ext/skills': ['SkillCatalogError', 'skillEntry'],
  '@modelcontextprotocol/server/validators/ajv': '*',
  // As packages they want a newer Node than ours, which is only the one that npm runs on.
  '@sigstore/bundle': ['bundleFromJSON'],
  '@sigstore/protobuf-specs': ['TrustedRoot'],
  '@sigstore/verify': ['toSignedEntity', 'toTrustMaterial', 'Verifier'],
  // What "ftl add openapi" reads documents with: 6 MB as packages, most of it types and an HTTP client.
  '@scalar/json-magic/bundle': ['bundle'],
  '@scalar/openapi-upgrader': ['upgrade'],
  // That, and the front matter of skills.
  yaml: ['LineCounter', 'parse', 'parseDocument'],
}

async function finishHost(staged: string, manifest: PackedManifest): Promise<void> {
  const telemetry = Object.keys(manifest.dependencies ?? {}).filter(
    // The interface alone must be one for the whole program.
    (name) => name.startsWith('@opentelemetry/') && name !== '@opentelemetry/api',
  )
  await inlineDependencies(staged, manifest, {
    ...Object.fromEntries(telemetry.map((name) => [name, '*' as const])),
    ...HOST_LIBRARIES,
  })
  await bundleWorker(staged)
  // The validator alone: the package it is in brings binaryen, 93 MB.
  const wasmTools = join(REPOSITORY, 'node_modules/@bytecodealliance/jco-transpile')
  const prepared = join(staged, 'dist/prepare')
  await copyFile(join(wasmTools, 'vendor/wasm-tools.core.wasm'), join(prepared, 'validator.wasm'))
  await copyFile(join(wasmTools, 'LICENSE'), join(prepared, 'validator.LICENSE'))
}

/** A worker loads one module after its entry instead of a hundred, which takes half of the time. */
async function bundleWorker(staged: string): Promise<void> {
  const main = join(staged, 'dist/worker/main.js')
  await build({
    entryPoints: [main],
    outfile: main,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2024',
    packages: 'external',
    external: ['../inlined/*'],
    charset: 'utf8',
    logLevel: 'silent',
  })
}

async function finishCommand(staged: string, manifest: PackedManifest): Promise<void> {
  await addEngine(join(staged, 'engine'))
  await addRustCrates(join(staged, 'rust'))
  // Messages name pages of it, and an application has no copy of the repository.
  await addDocumentation(join(REPOSITORY, 'docs'), join(staged, 'docs'))
  manifest.files = [...(manifest.files ?? []), 'docs', 'engine', 'rust']
  await inlineDependencies(staged, manifest, COMMAND_LIBRARIES)
  const { 'ftl-bridge': bridge, ...dependencies } = manifest.dependencies ?? {}
  manifest.dependencies = {
    ...dependencies,
    ...(await engineDependencies()),
    // The template "workflow" needs it, in applications that began with another one; 50 KB.
    'ftl-workflows': `^${manifest.version}`,
  }
  if (bridge === undefined) return
  // It brings workerd, 172 MB that only applications with jobs over WebSockets have a use for.
  manifest.peerDependencies = { ...manifest.peerDependencies, 'ftl-bridge': bridge }
  manifest.peerDependenciesMeta = {
    ...manifest.peerDependenciesMeta,
    'ftl-bridge': { optional: true },
  }
}

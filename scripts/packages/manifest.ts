/** The package.json of a package: as it is in the repository, and as it is published. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

export type Dependencies = Record<string, string>

/** A target of `imports`: one, or one for each condition. */
export type Target = string | { [condition: string]: Target }

/** The fields that matter here; others are passed on. */
export interface Manifest {
  name: string
  version: string
  license?: string
  keywords?: string[]
  private?: boolean
  exports?: Record<string, string>
  imports?: Record<string, Target>
  bin?: Record<string, string>
  files?: string[]
  scripts?: Dependencies
  engines?: Dependencies
  dependencies?: Dependencies
  devDependencies?: Dependencies
  optionalDependencies?: Dependencies
  peerDependencies?: Dependencies
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export type Exports = Record<string, { types: string; default: string }>
export type PackedManifest = Omit<Manifest, 'exports'> & {
  exports?: Exports
  repository?: { type: string; url: string; directory: string }
  homepage?: string
  bugs?: { url: string }
}

/** Types and state of these packages are shared, so a single copy matters more than the exact tested version. */
const SHARED = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
]

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}

/**
 * @param root folder of the sources that becomes `dist/`: `src`, or `` if there are sources outside it too.
 * @param imports other targets of `imports` than in the repository.
 */
export function packedManifest(
  manifest: Manifest,
  root: string,
  imports: Dependencies = {},
): PackedManifest {
  const { exports = {}, files = [], devDependencies: _dev, scripts: _scripts, ...rest } = manifest
  delete rest.private
  const targets = { ...rest.imports, ...imports }
  return {
    ...rest,
    engines: { node: '>=20.19' },
    exports: mapped(exports, (source) => ({
      types: builtPath(source, root, '.d.ts'),
      default: builtPath(source, root, '.js'),
    })),
    imports: mapped(targets, (target) => builtTarget(target, root)),
    files: [...new Set(['dist', 'bin', ...files])],
    dependencies: rest.dependencies && ranges(rest.dependencies),
  }
}

/** @returns `undefined` for a field without entries, which is then left out of the file. */
function mapped<From, To>(
  entries: Record<string, From>,
  change: (value: From) => To,
): Record<string, To> | undefined {
  const all = Object.entries(entries)
  if (all.length === 0) return undefined
  return Object.fromEntries(all.map(([name, value]) => [name, change(value)]))
}

/** Every path a target may lead to. */
export function targetPaths(target: Target): string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(targetPaths)
}

function builtTarget(target: Target, root: string): Target {
  if (typeof target === 'string') return builtPath(target, root, '.js')
  return Object.fromEntries(
    Object.entries(target).map(([condition, each]) => [condition, builtTarget(each, root)]),
  )
}

/** `./src/index.ts` as `./dist/index.js`; other paths than TypeScript sources are unchanged. */
function builtPath(source: string, root: string, extension: '.js' | '.d.ts'): string {
  const match = /^\.\/(.+)\.ts$/.exec(source)
  if (!match?.[1]) return source
  const inside = root === '' ? match[1] : match[1].slice(root.length + 1)
  return `./dist/${inside}${extension}`
}

/** Our packages and the shared ones accept compatible versions; all others stay at the tested version. */
function ranges(dependencies: Dependencies): Dependencies {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [
      name,
      (/^ftl(-|$)/.test(name) || SHARED.includes(name)) && /^\d/.test(version)
        ? `^${version}`
        : version,
    ]),
  )
}

/**
 * Publishes the packages whose version the registry does not have yet; the release workflow runs it.
 *
 *     node scripts/release.ts [--dry-run]
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, REPOSITORY } from './packages/manifest.ts'
import { packAll } from './packages/pack-all.ts'
import { packageSources } from './packages/sources.ts'

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const manifests = await Promise.all(
  packageSources().map(({ folder }) => readManifest(join(REPOSITORY, folder))),
)
const missing = new Set(
  manifests.filter(({ name, version }) => !isPublished(name, version)).map(({ name }) => name),
)
if (missing.size === 0) {
  console.log('The registry has every package in its version: nothing to publish.')
} else {
  // Each package after those it depends on. A run that failed halfway can be repeated.
  for (const { name, tarball } of await packAll('dist/packages')) {
    if (missing.has(name)) publish(tarball)
  }
}

/** @throws {Error} when the registry cannot be reached. */
function isPublished(name: string, version: string): boolean {
  const { status, stdout, stderr } = npm(['view', `${name}@${version}`, 'version'], 'pipe')
  if (status === 0) return stdout.trim() !== ''
  if (stderr.includes('E404')) return false
  throw new Error(`npm view ${name}@${version} failed:\n${stderr}`)
}

function publish(tarball: string): void {
  const options = ['--access', 'public']
  if (values['dry-run']) options.push('--dry-run')
  // Only a workflow has the identity that provenance is signed with.
  else if (process.env['GITHUB_ACTIONS']) options.push('--provenance')
  const { status } = npm(['publish', tarball, ...options], 'inherit')
  if (status !== 0) throw new Error(`npm publish ${tarball} failed`)
}

function npm(args: string[], stdio: 'pipe' | 'inherit') {
  return spawnSync('npm', args, { cwd: REPOSITORY, stdio, encoding: 'utf8' })
}

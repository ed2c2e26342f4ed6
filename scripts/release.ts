/**
 * Publishes the packages whose version the registry does not have yet; the release workflow runs it.
 *
 *     node scripts/release.ts [--dry-run]
 *
 * The registry is that of npm's settings, so `npm_config_registry=http://127.0.0.1:4873 npm run release` publishes into a
 * registry of this machine (tried with Verdaccio 6.10.4). test/packages/published.test.ts publishes the same archives and uses them.
 * Beside the packages it writes a bill of materials.
 */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, REPOSITORY } from './packages/manifest.ts'
import { packAll } from './packages/pack-all.ts'
import { lookUp, takenNames } from './packages/registry.ts'
import { sbomOf } from './packages/sbom.ts'
import { packageSources } from './packages/sources.ts'

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const manifests = await Promise.all(
  packageSources().map(({ folder }) => readManifest(join(REPOSITORY, folder))),
)
const registered = new Map(manifests.map(({ name }) => [name, lookUp(name)]))
const taken = takenNames(registered, ownRepository())
// A name of ours and one of another project's in the same release would mix two products: all or nothing.
if (taken.length > 0) {
  throw new Error(
    `Nothing was published: these names belong to other projects in the registry; rename our packages.\n${taken.join('\n')}`,
  )
}
const missing = new Set(
  manifests
    .filter(({ name, version }) => !registered.get(name)?.versions.includes(version))
    .map(({ name }) => name),
)
if (missing.size === 0) {
  console.log('The registry has every package in its version: nothing to publish.')
} else {
  const packed = await packAll('dist/packages')
  const bom = join(REPOSITORY, 'dist/packages/sbom.cdx.json')
  await writeFile(bom, await sbomOf(packed))
  console.log(`Wrote ${relative(process.cwd(), bom)}`)
  // Each package after those it depends on. A run that failed halfway can be repeated.
  for (const { name, tarball } of packed) {
    if (missing.has(name)) publish(tarball)
  }
}

/** The repository whose workflow runs this. @returns `undefined` outside a workflow. */
function ownRepository(): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
  return GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
}

function publish(tarball: string): void {
  const options = ['--access', 'public']
  if (values['dry-run']) options.push('--dry-run')
  // Only a workflow has the identity that provenance is signed with.
  else if (process.env['GITHUB_ACTIONS']) options.push('--provenance')
  const { status } = spawnSync('npm', ['publish', tarball, ...options], {
    cwd: REPOSITORY,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`npm publish ${tarball} failed`)
}

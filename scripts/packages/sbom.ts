/** The software bill of materials of a release: our packages with everything that npm installs for them. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Packed } from './pack-all.ts'

const run = promisify(execFile)

/**
 * `npm sbom` refuses this repository, whose overrides leave parts of dependencies out. So the versions are those of a folder
 * that depends on the packed packages, which is also what a user installs.
 *
 * @returns CycloneDX as JSON.
 */
export async function sbomOf(
  packed: readonly Pick<Packed, 'name' | 'tarball'>[],
  env = process.env,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-sbom-'))
  try {
    const dependencies = Object.fromEntries(
      packed.map(({ name, tarball }) => [name, `file:${tarball}`]),
    )
    const manifest = { name: 'ftl-release', version: '0.0.0', private: true, dependencies }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    const npm = (args: string[]) =>
      run('npm', args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
    const lockOnly = ['--package-lock-only', '--ignore-scripts']
    await npm(['install', ...lockOnly, '--no-audit', '--no-fund'])
    const { stdout } = await npm(['sbom', ...lockOnly, '--sbom-format=cyclonedx', '--omit=dev'])
    return `${JSON.stringify(withoutPaths(JSON.parse(stdout) as Bom), undefined, 2)}\n`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Bom {
  components: { externalReferences?: { url: string }[] }[]
}

/** Our tarballs are named by their paths on this machine. */
function withoutPaths(bom: Bom): Bom {
  const components = bom.components.map(({ externalReferences = [], ...rest }) => ({
    ...rest,
    externalReferences: externalReferences.filter(({ url }) => !url.startsWith('file:')),
  }))
  return { ...bom, components }
}

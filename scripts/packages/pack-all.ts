/** Compiles, stages and packs every package. */
import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'
import { promisify } from 'node:util'
import { compile } from './compile.ts'
import {
  type Manifest,
  packedManifest,
  type PackedManifest,
  readManifest,
  REPOSITORY,
  targetPaths,
} from './manifest.ts'
import { type PackageSource, packageSources } from './sources.ts'

const run = promisify(execFile)

export interface Packed {
  name: string
  /** Absolute path. */
  tarball: string
  /** Paths of its files. */
  files: string[]
  /** What can be imported: `ftl-sdk`, `ftl-contract`. */
  exports: string[]
  packedBytes: number
  unpackedBytes: number
}

/**
 * @param out folder of the tarballs; its content is removed.
 * @param report receives what is done next, for a person who waits.
 * @throws {Error} when a package does not compile.
 */
export async function packAll(
  out: string,
  report: (step: string) => void = () => undefined,
): Promise<Packed[]> {
  const folder = resolve(REPOSITORY, out)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // Staged in the repository, wherever the tarballs go, so that the imports of the declarations can be resolved.
  await mkdir(join(REPOSITORY, 'dist'), { recursive: true })
  const stage = await mkdtemp(join(REPOSITORY, 'dist', 'staged-'))
  try {
    const paths: Record<string, string> = {}
    const staged: string[] = []
    const sources = packageSources()
    for (const [index, source] of sources.entries()) {
      report(`compiling ${source.folder} (${index + 1} of ${sources.length})`)
      staged.push(await stagePackage(source, stage, paths))
    }
    report('packing')
    return await pack(staged, folder)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

/** @param paths receives the declarations of this package, for the packages after it. */
async function stagePackage(
  source: PackageSource,
  stage: string,
  paths: Record<string, string>,
): Promise<string> {
  const from = join(REPOSITORY, source.folder)
  const manifest = await readManifest(from)
  const { imports = {}, modules: more = [], finish } = source
  const to = join(stage, manifest.name)
  await mkdir(to, { recursive: true })
  const modules = [
    ...Object.values(manifest.exports ?? {}),
    ...Object.values({ ...manifest.imports, ...imports }).flatMap(targetPaths),
    ...more,
  ].filter((path) => path.endsWith('.ts'))
  const root = modules.every((path) => path.startsWith('./src/')) ? 'src' : ''
  const own = Object.entries(imports).filter(([, path]) => path.endsWith('.ts'))
  if (modules.length > 0)
    compile({
      rootDir: join(from, root),
      outDir: join(to, 'dist'),
      modules: [...new Set(modules), ...(await ambientModules(join(from, root)))].map((path) =>
        resolve(from, path),
      ),
      paths: {
        ...paths,
        ...Object.fromEntries(own.map(([name, path]) => [name, resolve(from, path)])),
      },
    })
  const packed = packedManifest(manifest, root, imports)
  for (const [path, { types }] of Object.entries(packed.exports ?? {})) {
    paths[posix.join(manifest.name, path)] = join(to, types)
  }
  await copyFiles(from, to, manifest)
  await finish?.(to, packed)
  Object.assign(packed, releasedFrom(source.folder))
  await writeFile(join(to, 'package.json'), `${JSON.stringify(packed, undefined, 2)}\n`)
  return to
}

/** Addresses of a release; npm compares the repository with the provenance. @returns none outside a workflow */
export function releasedFrom(
  directory: string,
  env: NodeJS.ProcessEnv = process.env,
): Pick<PackedManifest, 'repository' | 'homepage' | 'bugs'> {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = env
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return {}
  const address = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
  return {
    repository: { type: 'git', url: `git+${address}.git`, directory },
    homepage: `${address}/tree/HEAD/${directory}#readme`,
    bugs: { url: `${address}/issues` },
  }
}

/** Declarations of modules that only the host has; nothing imports the file they are in. */
async function ambientModules(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.d.ts')).map((name) => join(folder, name))
}

async function copyFiles(
  from: string,
  to: string,
  { bin = {}, files = [] }: Manifest,
): Promise<void> {
  for (const path of files) await cp(join(from, path), join(to, path), { recursive: true })
  for (const path of Object.values(bin)) {
    const text = await readFile(join(from, path), 'utf8')
    await mkdir(join(to, path, '..'), { recursive: true })
    const built = text.replace(/(['"])\.\.\/src\/([^'"]+)\.ts\1/g, '$1../dist/$2.js$1')
    await writeFile(join(to, path), built, { mode: 0o755 })
  }
  await copyFile(join(from, 'README.md'), join(to, 'README.md'))
  await copyFile(join(REPOSITORY, 'LICENSE'), join(to, 'LICENSE'))
}

interface NpmPack {
  name: string
  filename: string
  size: number
  unpackedSize: number
  files: { path: string }[]
}

/** In one process of npm, because npm takes longer to start than to pack. */
async function pack(folders: string[], out: string): Promise<Packed[]> {
  const { stdout } = await run(
    'npm',
    ['pack', ...folders, '--json', '--ignore-scripts', '--pack-destination', out],
    // A folder without a package: npm would take the settings of the one it is started in.
    { cwd: out, maxBuffer: 64 * 1024 * 1024 },
  )
  const answer = Object.values(JSON.parse(stdout) as NpmPack[] | Record<string, NpmPack>)
  return Promise.all(
    folders.map(async (folder) => {
      const { name, exports = {} } = await readManifest(folder)
      const made = answer.find((each) => each.name === name)
      if (!made) throw new Error(`npm packed nothing in ${folder}`)
      return {
        name,
        tarball: join(out, made.filename),
        files: made.files.map(({ path }) => path),
        exports: Object.keys(exports).map((path) => posix.join(name, path)),
        packedBytes: made.size,
        unpackedBytes: made.unpackedSize,
      }
    }),
  )
}

/**
 * Takes libraries into a package, each as one module.
 *
 * For those that are large as packages, small in use, and of use to few: telemetry and Redis are 48 MB as dependencies
 * of the host, and 2 MB so.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { type PackedManifest, readManifest, REPOSITORY } from './manifest.ts'

/** By the name of the library, what is used of it: a list where it is CommonJS, else everything. */
export type Libraries = Readonly<Record<string, readonly string[] | '*'>>

/**
 * @param staged folder of the compiled package; what its modules import is redirected to `dist/inlined/`.
 */
export async function inlineDependencies(
  staged: string,
  manifest: PackedManifest,
  libraries: Libraries,
): Promise<void> {
  const dist = join(staged, 'dist')
  const folder = join(dist, 'inlined')
  const taken = new Set(Object.keys(libraries).map(packageOf))
  const left = Object.entries(manifest.dependencies ?? {}).filter(([name]) => !taken.has(name))
  const { metafile } = await build({
    entryPoints: Object.keys(libraries).map((name) => ({
      in: `library:${name}`,
      out: moduleName(name),
    })),
    outdir: folder,
    absWorkingDir: REPOSITORY,
    bundle: true,
    // Libraries that share a class keep sharing it.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    charset: 'utf8',
    metafile: true,
    logLevel: 'silent',
    external: left.map(([name]) => name),
    // What was CommonJS asks for Node's modules by `require`.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'\nconst require = makeRequire(import.meta.url)",
    },
    plugins: [
      {
        name: 'libraries',
        setup(context) {
          context.onResolve({ filter: /^library:/ }, ({ path }) => ({
            path: path.slice('library:'.length),
            namespace: 'library',
          }))
          context.onLoad({ filter: /.*/, namespace: 'library' }, ({ path }) => {
            const names = libraries[path] ?? '*'
            const used = names === '*' ? '*' : `{ ${names.join(', ')} }`
            return { contents: `export ${used} from '${path}'`, resolveDir: REPOSITORY }
          })
        },
      },
    ],
  })
  await writeFile(join(folder, 'NOTICE.md'), await notice(Object.keys(metafile.inputs)))
  manifest.dependencies = Object.fromEntries(left)
  await redirect(dist, folder, Object.keys(libraries))
}

/** Names that a module imports of the libraries and that are not in their lists: it could not be loaded. */
export function unlistedNames(module: string, libraries: Libraries): string[] {
  return [...module.matchAll(/^import (?!type )\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', library = '']) => {
      const used = Object.hasOwn(libraries, library) ? libraries[library] : '*'
      if (used === undefined || used === '*') return []
      const imported = names
        .split(',')
        .map((name) => name.trim().replace(/ as .*/, ''))
        .filter((name) => name !== '' && !name.startsWith('type '))
      return imported.filter((name) => !used.includes(name)).map((name) => `${name} of ${library}`)
    },
  )
}

async function redirect(dist: string, folder: string, names: readonly string[]): Promise<void> {
  for (const path of await readdir(dist, { recursive: true })) {
    const file = join(dist, path)
    if (file.startsWith(folder) || !/\.(js|d\.ts)$/.test(file)) continue
    const text = await readFile(file, 'utf8')
    const changed = names.reduce((before, name) => {
      const target = relative(dirname(file), join(folder, `${moduleName(name)}.js`))
      const specifier = target.replaceAll('\\', '/').replace(/^(?!\.)/, './')
      return before
        .replaceAll(`from '${name}'`, `from '${specifier}'`)
        .replaceAll(`import('${name}')`, `import('${specifier}')`)
    }, text)
    if (changed === text) continue
    // Types of a library are not there any more. What is public must not speak of them, or its declarations break.
    if (file.endsWith('.d.ts')) await rm(file)
    else await writeFile(file, changed)
  }
}

/** Of `@scalar/json-magic/bundle`, the package. */
function packageOf(library: string): string {
  return library.split('/', library.startsWith('@') ? 2 : 1).join('/')
}

function moduleName(library: string): string {
  return library.replace('@', '').replace('/', '-')
}

/** Names, versions, licences and their texts. */
export async function notice(inputs: readonly string[]): Promise<string> {
  const found = inputs.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0])
  const folders = [...new Set(found.filter((path) => path !== undefined))].sort()
  const parts = folders.map(async (folder) => {
    const absolute = join(REPOSITORY, folder)
    const { name, version, license = '' } = await readManifest(absolute)
    const file = (await readdir(absolute)).find((each) => /^licen[cs]e/i.test(each))
    const text = file === undefined ? '' : await readFile(join(absolute, file), 'utf8')
    return `## ${name} ${version}: ${license}\n\n${text.trim()}\n`
  })
  return ['# The work of others in this folder\n', ...(await Promise.all(parts))].join('\n')
}

/**
 * The package of the components that `ftl add` brings into an application: each is one module, which `ftl build` makes a
 * component of there. What they are made of, such as the libraries of the page, need not be installed.
 */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { zodNamespaceImport } from '../../cli/src/build/bundle.ts'
import { CONDITIONS } from '../../cli/src/build/conditions.ts'
import { pages } from '../../cli/src/build/page-plugin.ts'
import { notice } from './inline.ts'
import { type PackedManifest, REPOSITORY } from './manifest.ts'

/** The component `workflows` is a package of its own. */
const COMPONENTS = ['auth', 'chat', 'code', 'comfyui', 'generate-image', 'remote', 'web'] as const

/** Settings that become the application's own. */
const FOLDERS = ['generate-image', 'workflows'].flatMap((name) =>
  ['config', 'workflows'].map((folder) => join(name, folder)),
)

/** @param staged folder of the package. */
export async function addParts(staged: string, manifest: PackedManifest): Promise<void> {
  const shared = Object.keys(manifest.dependencies ?? {})
  const { metafile } = await build({
    entryPoints: COMPONENTS.map((name) => ({
      in: join(REPOSITORY, 'components', name, 'src/main.ts'),
      out: join(name, 'index'),
    })),
    outdir: staged,
    absWorkingDir: REPOSITORY,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    charset: 'utf8',
    // Of the bundled libraries, they are in NOTICE.md.
    legalComments: 'none',
    conditions: CONDITIONS,
    logLevel: 'silent',
    metafile: true,
    external: [
      'fermyon:*',
      'wasi:*',
      'ftl:engine/*',
      ...shared,
      ...shared.map((name) => `${name}/*`),
    ],
    plugins: [pages(new Set()), zodNamespaceImport],
  })
  for (const folder of FOLDERS) {
    await cp(join(REPOSITORY, 'components', folder), join(staged, folder), { recursive: true })
  }
  await writeFile(join(staged, 'NOTICE.md'), await notice(Object.keys(metafile.inputs)))
  manifest.files = [...COMPONENTS, 'workflows', 'NOTICE.md']
}

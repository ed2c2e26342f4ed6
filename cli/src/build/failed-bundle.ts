/** The files and imports of a component that could not be bundled. */
import { build, type Plugin } from 'esbuild'
import { CONDITIONS } from './conditions.ts'
import { isNodeModule } from './hints.ts'
import type { Graph } from './packages-needing-node.ts'
import { ownFiles } from './importable-files.ts'

/** The files of an entry that could not be bundled, and what imports what: the bundler says so only when all is well. */
export async function whatIsIn(entry: string): Promise<{ files: string[]; graph: Graph }> {
  const files = new Set<string>()
  const collect: Plugin = {
    name: 'collect-files',
    setup(context) {
      context.onResolve({ filter: /^(node:)?[a-z0-9_]+(\/[a-z0-9_]+)*$/ }, ({ path }) =>
        isNodeModule(path) ? { path, external: true } : undefined,
      )
      context.onLoad({ filter: /./, namespace: 'file' }, ({ path }) => {
        files.add(path)
        return path.endsWith('.node') ? { contents: '' } : undefined
      })
    },
  }
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    outfile: 'unused.js',
    platform: 'browser',
    conditions: CONDITIONS,
    external: ['fermyon:*', 'wasi:*'],
    metafile: true,
    logLevel: 'silent',
    plugins: [ownFiles(), collect],
  }).catch(() => undefined)
  return { files: [...files], graph: result?.metafile.inputs }
}

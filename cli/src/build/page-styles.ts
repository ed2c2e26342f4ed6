/**
 * Styles that a script of a page imports: `import './tools.css'`.
 *
 * They become part of the script, as a constructed style sheet. So what a page loads by `import()` brings its styles, and a
 * content security policy without `unsafe-inline` permits them.
 */
import { build, type Plugin } from 'esbuild'
import { dirname, resolve } from 'node:path'

/** @param inputs receives absolute paths of the style sheets. */
export function scriptStyles(inputs: Set<string>, target: string[]): Plugin {
  return {
    name: 'script-styles',
    setup(context) {
      context.onResolve({ filter: /^\..*\.css$/ }, ({ kind, path, resolveDir }) =>
        kind === 'import-statement'
          ? { path: resolve(resolveDir, path), namespace: 'script-styles' }
          : undefined,
      )
      context.onLoad({ filter: /.*/, namespace: 'script-styles' }, async ({ path }) => {
        const folder = dirname(path)
        const { outputFiles, metafile } = await build({
          entryPoints: [path],
          absWorkingDir: folder,
          bundle: true,
          write: false,
          minify: true,
          metafile: true,
          target,
          charset: 'utf8',
          legalComments: 'none',
          logLevel: 'silent',
          loader: { '.svg': 'dataurl' },
        })
        for (const input of Object.keys(metafile.inputs)) inputs.add(resolve(folder, input))
        const styles = JSON.stringify((outputFiles[0]?.text ?? '').trim())
        return {
          contents: `const sheet = new CSSStyleSheet()
sheet.replaceSync(${styles})
document.adoptedStyleSheets.push(sheet)`,
          loader: 'js',
        }
      })
    },
  }
}

/**
 * Web pages inside components: `import page from './page/index.html'`.
 *
 * What the page refers to by a relative address, its scripts, styles and icons, is bundled, minified and named after
 * its content; the module has all of it as text and, for clients that take it, compressed. A page thus needs no mount and no
 * file server, and a component with a page is still one file.
 *
 * @module
 */
import { build, type BuildFailure, type PartialMessage, type Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, extname, relative, resolve, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

/** `src="./app/main.tsx"`, `href="./app/page.css"`. */
const REFERENCE = /(\s(?:src|href)=")\.\/([^"?#]+)(")/g

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Browsers with everything of ES2022, nesting in style sheets and `dialog`: those since spring 2023. */
const BROWSERS = ['chrome112', 'firefox117', 'safari16.5']

/** One file beside the page. */
interface PageFile {
  type: string
  body: string
  /** The same, compressed, in base64. */
  gzip: string
}

/** @param inputs takes what the pages are made of, absolute: the bundler's own report has only the pages themselves. */
export function pages(inputs: Set<string>): Plugin {
  return {
    name: 'pages',
    setup(context) {
      context.onLoad({ filter: /\.html$/, namespace: 'file' }, async ({ path }) => {
        try {
          return { contents: await pageModule(path, inputs), loader: 'js' }
        } catch (error) {
          const { errors } = error as Partial<BuildFailure>
          if (!errors) throw error
          return {
            errors: errors.map(({ text, location }): PartialMessage => ({ text, location })),
          }
        }
      })
    },
  }
}

async function pageModule(path: string, inputs: Set<string>): Promise<string> {
  const source = await readFile(path, 'utf8')
  const folder = dirname(path)
  const references = [...source.matchAll(REFERENCE)].map(([, , reference = '']) => reference)
  const { outputFiles, metafile } = await build({
    entryPoints: [...new Set(references)].map((reference) => resolve(folder, reference)),
    outbase: folder,
    outdir: folder,
    entryNames: '[dir]/[name]-[hash]',
    absWorkingDir: folder,
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    loader: { '.svg': 'copy' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  for (const input of Object.keys(metafile.inputs)) inputs.add(resolve(folder, input))
  const files: Record<string, PageFile> = {}
  const names = new Map<string, string>()
  for (const { path: output, text, contents } of outputFiles) {
    const name = relative(folder, output).replaceAll(sep, '/')
    const made = metafile.outputs[name]
    if (made?.entryPoint !== undefined) names.set(made.entryPoint, name)
    files[name] = {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      body: text,
      gzip: gzipSync(contents, { level: 9 }).toString('base64'),
    }
  }
  // A file that is only copied is no entry point to the bundler.
  for (const [name, { inputs: from }] of Object.entries(metafile.outputs)) {
    const [only, another] = Object.keys(from)
    if (only !== undefined && another === undefined && !names.has(only)) names.set(only, name)
  }
  const html = source
    .replace(REFERENCE, (_, before: string, name: string, after: string) => {
      return `${before}./${names.get(name) ?? name}${after}`
    })
    .replace(/>\s*\n\s*</g, '><')
    .trim()
  const hash = createHash('sha256').update(html).digest('hex').slice(0, 16)
  return `export default ${JSON.stringify({ html, hash, files })}`
}

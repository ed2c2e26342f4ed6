/**
 * Web pages inside components: `import page from './page/index.html'`.
 *
 * Scripts, styles and icons that the page references by a relative URL are bundled, minified and named by content hash.
 * The module contains them as text and, for clients that accept it, as gzip and Brotli. So a page needs neither a mount nor a file
 * server, and a component with a page is still one file.
 */
import { build, type BuildFailure, type Metafile, type PartialMessage, type Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { foreignImport, foreignInputs, ownFiles } from './importable-files.ts'
import { scriptStyles } from './page-styles.ts'
import { zodNamespace } from './zod-namespace.ts'

/** `src="./app/main.tsx"`, `href="./app/page.css"`. */
const REFERENCE = /(\s(?:src|href)=")\.\/([^"?#]+)(")/g

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The first versions with all of ES2022, CSS nesting and `<dialog>`: April to August 2023. */
const BROWSERS = ['chrome112', 'firefox117', 'safari16.5']

/** A file that the page references. */
interface PageFile {
  type: string
  body: string
  /** The same, as gzip in base64. */
  gzip: string
  /** The same, as Brotli in base64: an eighth smaller, for browsers on TLS or this machine. */
  brotli: string
}

/** @param inputs receives absolute paths of the pages' sources: the component's metafile lists only the pages. */
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
  for (const reference of references) refuseForeign(path, `./${reference}`)
  const firstScript = references.find((reference) => /\.[cm]?[jt]sx?$/.test(reference)) ?? ''
  const { outputFiles, metafile } = await build({
    entryPoints: [...new Set(references)].map((reference) => resolve(folder, reference)),
    outbase: folder,
    outdir: folder,
    entryNames: '[dir]/[name]-[hash]',
    // What the page loads by `import()` is a file of its own, beside the script.
    splitting: true,
    chunkNames: join(dirname(firstScript), '[name]-[hash]'),
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
    plugins: [ownFiles(), scriptStyles(inputs, BROWSERS), zodNamespace()],
  })
  refuse(foreignInputs(metafile, folder))
  for (const input of Object.keys(metafile.inputs)) {
    if (!input.startsWith('script-styles:')) inputs.add(resolve(folder, input))
  }
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
      brotli: brotliCompressSync(contents).toString('base64'),
    }
  }
  // The metafile has no `entryPoint` for a file that is only copied.
  for (const [name, { inputs: from }] of Object.entries(metafile.outputs)) {
    const [only, another] = Object.keys(from)
    if (only !== undefined && another === undefined && !names.has(only)) names.set(only, name)
  }
  const scripts = references.flatMap((reference) => names.get(reference) ?? [])
  const html = source
    .replace(REFERENCE, (_, before: string, name: string, after: string) => {
      return `${before}./${names.get(name) ?? name}${after}`
    })
    .replace('</head>', `${preloads(metafile, scripts)}</head>`)
    .replace(/>\s*\n\s*</g, '><')
    .trim()
  const hash = createHash('sha256').update(html).digest('hex').slice(0, 16)
  return `export default ${JSON.stringify({ html, hash, files })}`
}

function refuseForeign(page: string, reference: string): void {
  const target = resolve(dirname(page), reference)
  const real = existsSync(target) ? realpathSync(target) : target
  refuse([foreignImport(page, reference, real) ?? []].flat())
}

/** As the bundler reports errors. */
function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return
  throw Object.assign(new Error(problems[0]), { errors: problems.map((text) => ({ text })) })
}

/** So that the browser requests the scripts that a script imports at once, not after it has read that script. */
function preloads({ outputs }: Metafile, scripts: readonly string[]): string {
  const all = new Set(scripts)
  for (const script of all) {
    for (const { kind, path } of outputs[script]?.imports ?? []) {
      if (kind === 'import-statement') all.add(path)
    }
  }
  return [...all]
    .filter((script) => !scripts.includes(script))
    .map((script) => `<link rel="modulepreload" href="./${script}">`)
    .join('')
}

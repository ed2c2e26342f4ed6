/**
 * Makes the documentation a site: API reference, then pages. Nothing is fetched.
 *
 *     node scripts/docs.ts [--out dist/site]   builds it
 *     node scripts/docs.ts --preview           builds it and serves what was built
 *     node scripts/docs.ts --dev               serves it while you write
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadVitePress } from '../docs/.vitepress/vitepress.ts'
import { writeApi } from './docs/api.ts'
import { install } from './side-packages.ts'

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url))

/** Default of `--out`, relative to the folder of the repository. */
const SITE_FOLDER = 'dist/site'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: SITE_FOLDER },
    preview: { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
  },
})
await install('docs')
const { build, createServer, serve } = await loadVitePress()
if (values.dev) {
  await devSite()
} else {
  // A preview is served from where the site's configuration says.
  await buildSite(values.preview ? SITE_FOLDER : values.out)
  if (values.preview) await previewSite()
  else console.log(`The site is in ${values.out}; npm run docs -- --preview serves it.`)
}

/**
 * @param outDir a folder, relative to the current one; what was there is replaced.
 * @throws for a link to a page that does not exist.
 */
async function buildSite(outDir: string): Promise<void> {
  await writeApi()
  await build(DOCS, { outDir: resolve(outDir) })
}

/** Serves what was built into `dist/site`, until the process ends. */
async function previewSite(): Promise<void> {
  await serve({ root: DOCS })
}

/** Serves the pages as they are written; the API reference as it is now. */
async function devSite(): Promise<void> {
  await writeApi()
  const server = await createServer(DOCS)
  await server.listen()
  server.printUrls()
}

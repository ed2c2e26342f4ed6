/** The site of the documentation, by VitePress. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createServer, serve } from 'vitepress'
import { writeApi } from './api.ts'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))

/** Where the site goes unless told otherwise, from the repository's folder. */
export const SITE_FOLDER = 'dist/site'

/**
 * @param outDir a folder, relative to the current one; what was there is replaced.
 * @throws for a link to a page that does not exist.
 */
export async function buildSite(outDir: string): Promise<void> {
  await writeApi()
  await build(DOCS, { outDir: resolve(outDir) })
}

/** Serves what was built into `dist/site`, until the process ends. */
export async function previewSite(): Promise<void> {
  await serve({ root: DOCS })
}

/** Serves the pages as they are written; the API reference as it is now. */
export async function devSite(): Promise<void> {
  await writeApi()
  const server = await createServer(DOCS)
  await server.listen()
  server.printUrls()
}

/**
 * Makes the documentation a site: API reference, then pages. Nothing is fetched.
 *
 *     node scripts/docs.ts [--out dist/site]   builds it
 *     node scripts/docs.ts --preview           builds it and serves what was built
 *     node scripts/docs.ts --dev               serves it while you write
 */
import { parseArgs } from 'node:util'
import { buildSite, devSite, previewSite, SITE_FOLDER } from './docs/site.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: SITE_FOLDER },
    preview: { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
  },
})
if (values.dev) {
  await devSite()
} else {
  // A preview is served from where the site's configuration says.
  await buildSite(values.preview ? SITE_FOLDER : values.out)
  if (values.preview) await previewSite()
  else console.log(`The site is in ${values.out}; npm run docs -- --preview serves it.`)
}

// Makes src/prelude.generated.js of js/main.js: `node engine/bundle-prelude.mjs`, or `--check` to compare only.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const generated = at('src/prelude.generated.js')

const result = await build({
  entryPoints: [at('js/main.js')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'esnext',
  // QuickJS compiles strings with non-ASCII characters to twice the size.
  charset: 'ascii',
  legalComments: 'none',
  nodePaths: process.env.NODE_PATH ? [process.env.NODE_PATH] : [],
  write: false,
})
const text = `"use strict";${result.outputFiles[0].text}`
if (!process.argv.includes('--check')) {
  writeFileSync(generated, text)
  console.log(`${text.length} bytes`)
} else if (readFileSync(generated, 'utf8') !== text) {
  console.error(
    'engine/src/prelude.generated.js is not what engine/js makes: run node engine/bundle-prelude.mjs',
  )
  process.exitCode = 1
}

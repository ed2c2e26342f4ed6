// Bundles js/main.js, the JavaScript part, to one script that the native part contains.
import { join } from 'node:path'
import { build } from 'esbuild'

/** The script; `build.ts` writes it to `src/prelude.generated.js`. */
export async function makePrelude(): Promise<string> {
  const result = await build({
    entryPoints: [join(import.meta.dirname, 'js/main.js')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'esnext',
    // QuickJS compiles strings with non-ASCII characters to twice the size.
    charset: 'ascii',
    legalComments: 'none',
    write: false,
  })
  return `"use strict";${result.outputFiles[0]?.text ?? ''}`
}

// Bundles js/main.js, the JavaScript part, to one script that the native part contains.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Writes `src/prelude.generated.js`. */
export async function makePrelude(): Promise<void> {
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
  const text = `"use strict";${result.outputFiles[0]?.text ?? ''}`
  await writeFile(join(import.meta.dirname, 'src/prelude.generated.js'), text)
}

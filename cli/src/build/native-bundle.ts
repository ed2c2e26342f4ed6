/**
 * Bundles a component of ours for the host's own engine, and keeps the bundle beside this command.
 *
 * It is bundled when it is not kept yet: that takes a tenth of a second, and loads the bundler.
 */
import type { StdinOptions } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONDITIONS } from './conditions.ts'
import { keptBundle, type KeptBundle } from './kept-bundle.ts'
import { own } from './own-module-path.ts'

/** Its code is JavaScript that leaves its module in the variable `native`. */
export type NativeSource = KeptBundle

/**
 * @param file path of the kept bundle.
 * @param entry path of a module with `createNative`, or its text.
 */
export function nativeBundle(file: string, entry: string | StdinOptions): Promise<NativeSource> {
  const deciding = [import.meta.filename, own('esbuild/package.json')]
  const text = typeof entry === 'string' ? entry : entry.contents
  const builder = [text, ...CONDITIONS, ...deciding.map((path) => readFileSync(path, 'utf8'))]
  return keptBundle(file, builder.join('\n'), () => bundle(entry))
}

/** @param folder of this command. */
export function keptIn(folder: string, name: string): string {
  return join(folder, `native-${name}.json`)
}

async function bundle(entry: string | StdinOptions): Promise<NativeSource> {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    ...(typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: entry }),
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    globalName: 'native',
    platform: 'neutral',
    target: 'es2024',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    conditions: CONDITIONS,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return {
    code: outputFiles?.[0]?.text ?? '',
    inputs: Object.keys(metafile.inputs)
      .filter((path) => path !== '<stdin>')
      .map((path) => resolve(path)),
  }
}

/**
 * The gateway's source for the host's own engine.
 *
 * `ftl build` notes in a gateway's component which source it was built of, and `ftl up` gives this source to the host. The host
 * runs it instead of the component if both are the same.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONDITIONS } from './conditions.ts'
import { folderOfCommand, keptBundle, type KeptBundle } from './kept-bundle.ts'
import { own } from './own-module-path.ts'

/** Its code is JavaScript that leaves its module in the variable `gateway`. */
export type NativeSource = KeptBundle

/**
 * Of the gateway that comes with this command, and of no other. It is bundled when it is not kept yet: bundling takes a tenth
 * of a second, and loads the bundler.
 */
export function nativeGateway(folder = folderOfCommand()): Promise<NativeSource> {
  const deciding = [import.meta.filename, own('esbuild/package.json')]
  const builder = [...CONDITIONS, ...deciding.map((path) => readFileSync(path, 'utf8'))].join('\n')
  return keptBundle(join(folder, 'native-gateway.json'), builder, bundle)
}

async function bundle(): Promise<NativeSource> {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    entryPoints: [own('ftl-gateway/native')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    globalName: 'gateway',
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
    code: outputFiles[0]?.text ?? '',
    inputs: Object.keys(metafile.inputs).map((path) => resolve(path)),
  }
}

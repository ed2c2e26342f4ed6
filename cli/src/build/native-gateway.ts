/**
 * The gateway's source for the host's own engine.
 *
 * `ftl build` notes in a gateway's component which source it was built of, and `ftl up` gives this source to the host. The host
 * runs it instead of the component if both are the same.
 */
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { CONDITIONS } from './failed-bundle.ts'
import { own } from './our-modules.ts'

export interface NativeSource {
  /** JavaScript that leaves its module in the variable `gateway`. */
  code: string
  /** Absolute paths of all bundled files. */
  inputs: string[]
}

/** Of the gateway that comes with this command, and of no other. */
export async function nativeGateway(): Promise<NativeSource> {
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

/** Packages of components, as ftl publish makes them and as an attacker would. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { newKeyPair, signPackage } from '../../cli/src/registry/publisher-signature.ts'
import { writeTar } from '../../cli/src/registry/tarball.ts'

export interface Described {
  name?: string
  version?: string
  reach?: Record<string, string[]>
  tools?: string[]
  digest?: string
}

export const publisher = newKeyPair()
export const signer = `ed25519:${publisher.publicKey}`

export function described(wasm: Uint8Array, change: Described = {}) {
  return {
    name: 'weather',
    version: '1.0.0',
    digest: `sha256:${createHash('sha256').update(wasm).digest('hex')}`,
    world: 'ftl:component@0.1.0',
    reach: {},
    tools: ['pay'],
    ...change,
  }
}

export function packed(
  wasm: Uint8Array,
  change: Described = {},
  { signWith, more = {} }: { signWith?: string; more?: Record<string, Uint8Array> } = {},
): Buffer {
  const about = described(wasm, change)
  const { name, version, ...ftl } = about
  const files = new Map<string, Uint8Array>([
    [
      'package.json',
      Buffer.from(
        JSON.stringify({
          name,
          version,
          scripts: { install: 'exit 1' },
          ftl: { component: 'component.wasm', ...ftl },
        }),
      ),
    ],
    ['component.wasm', wasm],
    ...Object.entries(more),
  ])
  if (signWith !== undefined) {
    files.set('ftl-signature.json', Buffer.from(JSON.stringify(signPackage(about, signWith))))
  }
  return gzipSync(writeTar(files))
}

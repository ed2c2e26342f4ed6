import { componentEmbed, parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { assembleWit } from '../../../cli/src/build/wit.ts'
import { checkModule } from '../wasm/check-module.ts'
import { Guest } from './guest.ts'
import { offered } from './imports.ts'
import { OFFERED_INTERFACES, withoutVersion } from './interfaces.ts'
import { preview1 } from './preview1.ts'
import type { ComponentServices } from './services.ts'
import { signatureOf } from './signatures.ts'

const CACHE = fileURLToPath(new URL('../../../.ftl/cache', import.meta.url))

/** Core types of everything in the offered interfaces, as wasm-tools derives them from the WIT. */
async function typesOfWit(): Promise<Map<string, string | undefined>> {
  const { folder, adapter } = await assembleWit(CACHE)
  const packages = await Promise.all(
    (await readdir(join(folder, 'deps'))).map((name) =>
      readFile(join(folder, 'deps', name, 'package.wit'), 'utf8'),
    ),
  )
  const version = (name: string) => (name.startsWith('wasi:') ? '0.2.10' : '2.0.0')
  const imports = OFFERED_INTERFACES.map((name) => `import ${name}@${version(name)};`)
  const nested = packages.map((wit) => wit.replace(/^(package [^;]+);/m, '$1 {') + '\n}')
  const witSource = ['package test:test;', `world all { ${imports.join('\n')} }`, ...nested].join(
    '\n',
  )
  const binary = await parse('(module)')
  const module = await componentEmbed({ witSource, world: 'all', dummy: true, binary })
  const types = new Map<string, string | undefined>()
  for (const { from, name, signature } of checkModule(module).imports) {
    types.set(`${withoutVersion(from.replace(/^cm32p2\|/, ''))} ${name}`, signature)
  }
  for (const { name, signature } of checkModule(await readFile(adapter)).exports) {
    types.set(`wasi_snapshot_preview1 ${name}`, signature)
  }
  return types
}

test('the type of every host function is that of its WIT', async () => {
  const types = await typesOfWit()
  const guest = new Guest({ environment: {} } as ComponentServices)
  const different: string[] = []
  for (const [from, functions] of Object.entries(offered(guest, preview1(guest)))) {
    for (const name of Object.keys(functions)) {
      if (name.startsWith('[resource-drop]')) continue
      const [own, declared] = [signatureOf(from, name), types.get(`${from} ${name}`)]
      if (own === undefined || own !== declared)
        different.push(`${from} ${name}: ${own} ${declared}`)
    }
  }
  expect(different).toEqual([])
})

test.each(['constructor', '__proto__', 'toString'])('%s is not a host function', (name) => {
  expect(signatureOf('wasi:io/poll@0.2.0', name)).toBeUndefined()
  expect(signatureOf(name, 'poll')).toBeUndefined()
})

/**
 * Components of one engine must have the same code once their data is separated: V8 then compiles it once, and a request
 * that goes through several components runs one copy of it (`host/src/wasm/separate-data.ts`).
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readComponent } from '../../host/src/generic/read-component.ts'
import { fastWay } from '../../host/src/prepare/core-module.ts'
import { rewriteModule } from '../../host/src/wasm/rewrite-module.ts'
import { separateData } from '../../host/src/wasm/separate-data.ts'
import { MANIFESTS } from '../support/manifests.ts'

const DIST = join(resolve(MANIFESTS.application, '..'), 'dist')

async function separated(name: string) {
  const way = fastWay(readComponent(await readFile(join(DIST, `${name}.wasm`))))
  if ('refused' in way) throw new Error(way.refused)
  const parts = separateData(rewriteModule(way.main, 128 * 1024 * 1024).bytes)
  if (parts === undefined) throw new Error(`the data of ${name} stayed in its module`)
  return parts
}

test('the gateway and the tools of this application have one code', async () => {
  const gateway = await separated('mcp-gateway')
  for (const name of ['echo', 'calculator', 'generate-image']) {
    const tool = await separated(name)
    expect(tool.code.equals(gateway.code)).toBe(true)
    expect(Buffer.compare(tool.image, gateway.image)).not.toBe(0)
  }
})

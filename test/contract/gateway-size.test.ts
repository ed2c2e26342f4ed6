import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundle } from '../../cli/src/build/bundle.ts'

const MAIN = fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url))
const LIMIT = 60 * 1024

it('the gateway’s JavaScript is 60 KB at most, minified', async () => {
  const { code } = await bundle({ id: 'mcp-gateway', entry: MAIN })
  expect(Buffer.byteLength(code)).toBeLessThanOrEqual(LIMIT)
})

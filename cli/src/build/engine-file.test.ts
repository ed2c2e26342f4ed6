import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { engineFile } from './engine-file.ts'

// The key of the cache takes the digest of engine.json, not of the file.
it('the digest of the engine is that of its file', async () => {
  const { path, sha256 } = await engineFile()
  const digest = createHash('sha256').update(await readFile(path))
  expect(digest.digest('hex')).toBe(sha256)
})

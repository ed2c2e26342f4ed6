import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('is less than 5.5 KB, and needs nothing but its own files', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('chat.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
  })
  expect(outputFiles[0]?.contents.length).toBeLessThan(5.5 * 1024)
  expect(Object.keys(metafile.inputs).every((path) => /client\/src\/[\w-]+\.ts$/.test(path))).toBe(
    true,
  )
})

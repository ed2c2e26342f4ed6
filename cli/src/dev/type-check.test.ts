import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readDiagnostics, TypeCheck } from './type-check.ts'

test('a check that was closed does not begin again, so that nothing keeps the command from ending', async () => {
  const cacheFolder = join(mkdtempSync(join(tmpdir(), 'ftl-types-')), 'cache')
  try {
    const folder = fileURLToPath(new URL('../../../', import.meta.url))
    const entries = () => [fileURLToPath(import.meta.url)]
    const types = new TypeCheck({ folder, cacheFolder, entries })
    types.close()
    expect(await types.check()).toBeUndefined()
    // The options of a compiler that is started are written there.
    expect(existsSync(cacheFolder)).toBe(false)
  } finally {
    rmSync(join(cacheFolder, '..'), { recursive: true })
  }
})

test('errors of the compiler are shown with their line; what is no error is left out', () => {
  const output = `cli/src/no-such.ts(3,7): error TS2322: Type 'a' is not assignable.
  The expected type comes from property 'x'.
error TS5023: Unknown compiler option 'z'.

`
  expect(readDiagnostics(output, process.cwd())).toEqual([
    "cli/src/no-such.ts:3:7: TS2322: Type 'a' is not assignable.",
    "error TS5023: Unknown compiler option 'z'.",
  ])
})

import { expect, test } from 'vitest'
import { readDiagnostics } from './type-check.ts'

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

import { expect, it } from 'vitest'
import { workerProgramUrl } from './worker-program.ts'

it('is used only if no module is loaded into the workers, which would change another copy of the host', () => {
  expect(workerProgramUrl({ workerProgram: '/a b/w.mjs' })).toBe('file:///a%20b/w.mjs')
  expect(workerProgramUrl({ workerProgram: '/w.mjs', workerImports: ['file:///hook.ts'] })).toBe(
    undefined,
  )
  expect(workerProgramUrl({})).toBe(undefined)
})

import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../cli/src/build/bundle.ts'
import { quickjs } from '../../cli/src/build/quickjs.ts'
import { assembleWit } from '../../cli/src/build/wit.ts'

const MAIN = fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url))
/** Bytes of JavaScript of the gateway of an application that runs no programs, as that of this repository. */
const LIMIT = 224 * 1024

/** With the programs of models: their calls, journals, approvals and tasks, and pages of their long results. */
const LIMIT_WITH_PROGRAMS = 254 * 1024

/** Bytes of the component: 2.2 MB are the engine, the rest is what the module leaves in its memory. */
const COMPONENT_LIMIT = 4.05e6

it('the gateway’s JavaScript stays small', async () => {
  const { code } = await bundle({ id: 'mcp-gateway', entry: MAIN, without: ['programs'] })
  expect(code.length).toBeLessThanOrEqual(LIMIT)
  expect(code).not.toContain('/run/call')
  const all = await bundle({ id: 'mcp-gateway', entry: MAIN })
  expect(all.code.length).toBeLessThanOrEqual(LIMIT_WITH_PROGRAMS)
  expect(all.code).toContain('/run/call')
})

it('the gateway’s component stays small', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-size-'))
  try {
    const made = await bundle({ id: 'mcp-gateway', entry: MAIN })
    const wit = await assembleWit(folder)
    const component = await quickjs.build({
      id: 'mcp-gateway',
      made,
      wit,
      folder,
      onWarning: () => {},
    })
    expect(component.byteLength).toBeLessThanOrEqual(COMPONENT_LIMIT)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)

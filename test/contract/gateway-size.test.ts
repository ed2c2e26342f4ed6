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
const LIMIT = 234 * 1024

/** With the programs of models: their calls, journals, approvals and tasks, and pages of their long results. */
const LIMIT_WITH_PROGRAMS = 264 * 1024

/** What an application pays that passes `auth_introspection` to its gateway. */
const INTROSPECTION_LIMIT = 2 * 1024

/** What an application pays that has a component for `POST /uploads`. */
const UPLOADS_LIMIT = 2 * 1024

/** Bytes of the component: 2.2 MB are the engine, the rest is what the module leaves in its memory. */
const COMPONENT_LIMIT = 4.11e6

it('the gateway’s JavaScript stays small', async () => {
  const without = ['programs', 'introspection', 'uploads'] as const
  const { code } = await bundle({ id: 'mcp-gateway', entry: MAIN, without })
  expect(code.length).toBeLessThanOrEqual(LIMIT)
  expect(code).not.toContain('/run/call')
  expect(code).not.toContain('token_type_hint')
  expect(code).not.toContain('no_uploads')
  const uploading = await bundle({
    id: 'mcp-gateway',
    entry: MAIN,
    without: ['programs', 'introspection'],
  })
  expect(uploading.code).toContain('no_uploads')
  expect(uploading.code.length - code.length).toBeLessThanOrEqual(UPLOADS_LIMIT)
  const usual = await bundle({
    id: 'mcp-gateway',
    entry: MAIN,
    without: ['introspection', 'uploads'],
  })
  expect(usual.code.length).toBeLessThanOrEqual(LIMIT_WITH_PROGRAMS)
  expect(usual.code).toContain('/run/call')
  const all = await bundle({ id: 'mcp-gateway', entry: MAIN, without: ['uploads'] })
  expect(all.code.length - usual.code.length).toBeLessThanOrEqual(INTROSPECTION_LIMIT)
  expect(all.code).toContain('token_type_hint')
})

it('the gateway’s component stays small', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-size-'))
  try {
    const made = await bundle({ id: 'mcp-gateway', entry: MAIN, without: ['introspection'] })
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

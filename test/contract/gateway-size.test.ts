import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, type Feature } from '../../cli/src/build/bundle.ts'
import { quickjs } from '../../cli/src/build/quickjs.ts'
import { assembleWit } from '../../cli/src/build/wit.ts'

const MAIN = fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url))
/** Bytes of JavaScript of the gateway of an application that runs no programs, as that of this repository. */
const LIMIT = 238 * 1024

/** With the programs of models: their calls, journals, approvals and tasks, and pages of their long results. */
const LIMIT_WITH_PROGRAMS = 268 * 1024

/** What an application pays that passes `auth_introspection` to its gateway. */
const INTROSPECTION_LIMIT = 2 * 1024

/** What an application pays that passes `auth_dpop` to its gateway. */
const DPOP_LIMIT = 3.75 * 1024

/** What an application pays that has a component for `POST /uploads`. */
const UPLOADS_LIMIT = 2 * 1024

/** What an application pays whose manifest names skills, also of servers behind `remote`. */
const SKILLS_LIMIT = 4.25 * 1024

/** What an application pays that names its server in a card. */
const CARD_LIMIT = 3 * 1024

/** What an application pays that has other servers behind `remote`: what these say about the use of their tools. */
const INSTRUCTIONS_LIMIT = 0.6 * 1024

/** What an application pays whose gateway gives the tokens of callers to a component. */
const CALLER_TOKEN_LIMIT = 0.6 * 1024

/** Bytes of the component: 1.8 MB are the engine, the rest is what the module leaves in its memory. */
const COMPONENT_LIMIT = 3.7e6

/** What an application need not have, with a text that only it contains, and what it may take. Bytes. */
const OPTIONAL = [
  { feature: 'introspection', text: 'token_type_hint', limit: INTROSPECTION_LIMIT },
  { feature: 'dpop', text: 'dpop+jwt', limit: DPOP_LIMIT },
  { feature: 'uploads', text: 'no_uploads', limit: UPLOADS_LIMIT },
  { feature: 'skills', text: 'skills/list', limit: SKILLS_LIMIT },
  { feature: 'card', text: 'server-card', limit: CARD_LIMIT },
  { feature: 'callerToken', text: 'ftl-caller-token', limit: CALLER_TOKEN_LIMIT },
  // It has no text that the gateway does not have without it.
  { feature: 'instructions', text: undefined, limit: INSTRUCTIONS_LIMIT },
] as const

const bundled = async (without: readonly Feature[]) =>
  (await bundle({ id: 'mcp-gateway', entry: MAIN, without })).code

it('the gateway’s JavaScript stays small', async () => {
  const optional = OPTIONAL.map(({ feature }) => feature)
  const code = await bundled(['programs', ...optional])
  expect(code.length).toBeLessThanOrEqual(LIMIT)
  expect(code).not.toContain('/run/call')
  const usual = await bundled(optional)
  expect(usual.length).toBeLessThanOrEqual(LIMIT_WITH_PROGRAMS)
  expect(usual).toContain('/run/call')
  for (const { feature, text, limit } of OPTIONAL) {
    const more = await bundled(['programs', ...optional.filter((other) => other !== feature)])
    expect(more.length, feature).toBeGreaterThan(code.length)
    if (text !== undefined) {
      expect(code).not.toContain(text)
      expect(more).toContain(text)
    }
    expect(more.length - code.length, feature).toBeLessThanOrEqual(limit)
  }
})

it('the gateway’s component stays small', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-size-'))
  try {
    const made = await bundle({
      id: 'mcp-gateway',
      entry: MAIN,
      without: OPTIONAL.map(({ feature }) => feature),
    })
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

import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../cli/src/build/bundle.ts'
import { quickjs } from '../../cli/src/build/quickjs.ts'
import { assembleWit } from '../../cli/src/build/wit.ts'

const MAIN = fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url))
/**
 * 60 KB for the protocol; the readers of jobs (tasks, events, tools of their own) have come since, 6, and plain HTTP with
 * OpenAI's forms, lines and OpenAPI, 16; the rehearsal while it is built takes 2, what makes a call cheaper 1, the list
 * for chats and what is shared with them 1, patterns that take linear time 7, the gateway's own records of jobs and its
 * seals 4, what bounds refused calls and names the user 2, content of a tool's own type
 * and a bridge that is down 1, streams that report changed lists under `ftl dev` 2,
 * the client of a call, which its tool may know, 1, and cancels that end within 2 s, percent-encoded names and the words
 * of a broken component under `ftl dev`, 2; authentication 19: tokens, keys of issuers, API keys, links;
 * the policy 12, approvals of calls 4, pins of what components publish and the removal of hidden characters 5;
 * the audit log and the limits of a caller 9; what makes a policy and a call cheaper 3; writes on a condition, and what
 * clients get while the store is away, 3; finding tools that are too many for a list 32: declarations 10, the index and
 * the search 9, words of the same meaning 6, and 7 for lists, tools and parameters; the calls of programs, their
 * journals, approvals and tasks 24, pages of their long results 4 and saved programs 1 and their keys 2; lists that are stored for callers
 * with a policy, and what one component may have of a search, 2; the list of jobs 3.5; what tools may reach, members of a group and
 * resources of one component, 1.5; shares of the store 2.5, reserved keys of `_meta`, two lines for a call in the audit log
 * and one place that decides who is inside, 1.5; tokens that wait for a new key 0.2; calls whose lines the host words 1.
 */
const LIMIT = 243 * 1024

/** Bytes of the component: 2.2 MB are the engine, the rest is what the module leaves in its memory. */
const COMPONENT_LIMIT = 4.0e6

it('the gateway’s JavaScript stays small', async () => {
  const { code } = await bundle({ id: 'mcp-gateway', entry: MAIN })
  expect(Buffer.byteLength(code)).toBeLessThanOrEqual(LIMIT)
})

it('the gateway’s component stays small', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-size-'))
  try {
    const made = await bundle({ id: 'mcp-gateway', entry: MAIN, engine: 'quickjs' })
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

import { describe, expect, it } from 'vitest'
import { createWorld } from '../../gateway/src/testing/components.ts'
import { type Case, toRequest } from './cases/case.ts'
import { HTTP_CASES } from './cases/http.ts'
import { LEGACY_CASES } from './cases/legacy.ts'
import { MODERN_CASES } from './cases/modern.ts'
import { MODERN_HEADER_CASES } from './cases/modern-headers.ts'
import { TOOLS_ONLY_CASES } from './cases/tools-only.ts'
import { compare } from './compare.ts'
import { offersComponent, toolsOnlyComponent } from './component.ts'
import { ERA_DIFFERENCES } from './differences/eras.ts'
import { METHOD_DIFFERENCES } from './differences/methods.ts'
import { TRANSPORT_DIFFERENCES } from './differences/transport.ts'
import { judge, type Outcome } from './judge.ts'
import { normalForm } from './normal-form.ts'
import { officialHandler } from './official-server.ts'

const CASES = [
  ...LEGACY_CASES,
  ...MODERN_CASES,
  ...MODERN_HEADER_CASES,
  ...HTTP_CASES,
  ...TOOLS_ONLY_CASES,
]
const LISTED = [...METHOD_DIFFERENCES, ...ERA_DIFFERENCES, ...TRANSPORT_DIFFERENCES]

const full = {
  world: createWorld({ components: { offers: offersComponent } }),
  official: officialHandler(),
}
const toolsOnly = {
  world: createWorld({ components: { offers: toolsOnlyComponent } }),
  official: officialHandler({ toolsOnly: true }),
}

async function outcomeOf(one: Case): Promise<Outcome> {
  const servers = one.toolsOnly ? toolsOnly : full
  const [ours, theirs] = await Promise.all([
    servers.world.send(toRequest(one)),
    servers.official(toRequest(one)),
  ])
  const disagreements = compare(
    await normalForm(ours, one.body),
    await normalForm(theirs, one.body),
  )
  return { id: one.id, disagreements }
}

describe('the gateway and the official SDK', () => {
  it('answer the same requests alike, but for the listed differences', async () => {
    const outcomes: Outcome[] = []
    for (const one of CASES) outcomes.push(await outcomeOf(one))
    expect(judge(outcomes, LISTED)).toEqual([])
  })

  it('get cases with distinct ids', () => {
    expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length)
  })
})

// Whatever a component answers when it is asked what it offers: that costs only its own tools, and is reported.
// How long it takes is checked in descriptions-in-time.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultyApplication, startFaulty } from './application.ts'
import { BAD_DESCRIPTIONS, type BadDescription, SOUND_TOOLS } from './description-rows.ts'
import { ask, ERAS, type Seen } from './eras.ts'
import { says, unknownTool } from './expected.ts'
import { LEAK } from './fault.ts'

let application: FaultyApplication
let lists: Seen[]
beforeAll(async () => {
  application = await startFaulty()
  // Who has a name is settled by the first list: on a busy machine that one could miss even a sound component.
  await ask(application.url, 'plain', 'tools/list')
  lists = []
  for (const era of ERAS) lists.push(await ask(application.url, era, 'tools/list'))
})
afterAll(() => application.close())

interface Listed {
  tools: { name: string }[]
  _meta: { 'ftl/components': { component: string }[] }
}

function listed({ answer }: Seen): Listed {
  return answer.result as unknown as Listed
}

describe('a component that', () => {
  it.each(BAD_DESCRIPTIONS)('$how costs its own tools only: $component', async (bad) => {
    const others = new Set(
      BAD_DESCRIPTIONS.filter((other) => other !== bad).flatMap(({ tools = [] }) => tools),
    )
    for (const list of lists) {
      const { tools, _meta } = listed(list)
      const names = tools.map(({ name }) => name)
      expect(names, list.era).toEqual(expect.arrayContaining([...SOUND_TOOLS, ...others]))
      expect(names, list.era).toEqual(expect.arrayContaining([...(bad.tools ?? [])]))
      expectReport(_meta['ftl/components'], bad)
    }
    const { logs } = application
    if (bad.logged !== undefined && logs) expect(logs()).toMatch(bad.logged)
  })

  it('is reported to those who look after it, as to clients', async () => {
    const response = await fetch(`${application.url}/health/components`)
    const text = await response.text()
    const { status, components } = JSON.parse(text) as {
      status: string
      components: { component: string }[]
    }
    expect(response.status).toBe(200)
    expect(status).toBe('degraded')
    expect(text).not.toMatch(LEAK)
    for (const bad of BAD_DESCRIPTIONS) expectReport(components, bad)
  })
})

function expectReport(
  reports: readonly { component: string }[],
  { component, reason, tools = [], problems, clashes }: BadDescription,
): void {
  expect(reports.find((report) => report.component === component)).toEqual({
    component,
    ...(reason === undefined
      ? { status: 'ok', digest: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown }
      : { status: 'unavailable', reason: expect.stringMatching(reason) as unknown }),
    tools: tools.length,
    ...(problems && { problems: problems.map((one): unknown => expect.stringMatching(one)) }),
    ...(clashes && { clashes }),
  })
}

describe('the list', () => {
  it.each(ERAS)('is there and tells nothing of any inside (%s)', (era) => {
    for (const list of lists.filter((one) => one.era === era)) {
      expect(list.status).toBe(200)
      expect(list.text).not.toMatch(LEAK)
    }
  })

  it('has nothing but what can be called', () => {
    const unexpected = new Set(['too_late', 'text_schema', 'no_schema', 'a b', '../echo', ''])
    for (const list of lists) {
      const names = listed(list).tools.map(({ name }) => name)
      expect(names.filter((name) => unexpected.has(name))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it('is the same in every era and at every time', async () => {
    const again = await ask(application.url, 'plain', 'tools/list')
    const [first, ...rest] = [...lists, again].map((list) =>
      listed(list).tools.map(({ name }) => name),
    )
    for (const names of rest) expect(names).toEqual(first)
  })

  it.each([
    ['prompts/list', 'prompts', 8],
    ['resources/list', 'resources', 8],
  ])('of prompts and resources leaves out invalid entries: %s', async (method, field, count) => {
    const seen = await Promise.all(ERAS.map((era) => ask(application.url, era, method)))
    for (const { era, answer } of seen) {
      expect(answer.result?.[field], era).toHaveLength(count)
    }
  })
})

describe('a call', () => {
  const NAMED = {
    echo: 'still here',
    imposter__echo: 'echo of imposter',
    twin: 'twin of twins',
    twins__twin: 'twin of twins',
    good_before: 'good_before of mixed',
    good_after: 'good_after of mixed',
    constructor: 'constructor of misnamed',
  }
  const CALLS = [...Object.entries(NAMED), ['__proto__', '__proto__ of misnamed'] as const]

  it('finds its component while others are asked what they offer', async () => {
    const listing = ask(application.url, 'plain', 'tools/list')
    for (const [name, text] of CALLS) {
      const params = { name, arguments: { message: text } }
      const seen = await Promise.all(
        ERAS.map((era) => ask(application.url, era, 'tools/call', params)),
      )
      for (const { era, answer } of seen) {
        expect(answer, `${name}, ${era}`).toMatchObject(says(text)[era].answer)
      }
    }
    await listing
  })

  it('of what a component says too late, or badly, is one of an unknown tool', async () => {
    for (const name of ['too_late', 'no_schema']) {
      const params = { name, arguments: {} }
      const seen = ERAS.map((era) => ask(application.url, era, 'tools/call', params))
      for (const { era, answer } of await Promise.all(seen)) {
        expect(answer, era).toMatchObject(unknownTool(name)[era].answer)
      }
    }
  })
})

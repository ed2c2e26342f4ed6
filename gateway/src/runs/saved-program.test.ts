import { describe, expect, it } from 'vitest'
import { as, keys } from '../testing/api-keys.ts'
import { codeComponent, type Program } from '../testing/code-component.ts'
import { call, createWorld, post, several, tool } from '../testing/components.ts'
import { silence } from '../testing/silence.ts'

silence('log', 'error')

interface Called {
  content: { text: string }[]
  isError?: boolean
  _meta?: { 'ftl/approval'?: { token: string } }
}

/** `report` is a saved program, by its own words, which calls `mail.send`. */
function world(variables: Record<string, string> = {}) {
  const programs: Program[] = []
  const sent: unknown[] = []
  const code = codeComponent(async (program) => {
    programs.push(program)
    const { content } = await program.call('mail', 'send', { text: 'x' })
    return JSON.stringify(content)
  })
  const made = createWorld({
    components: {
      code: code.component,
      report: async (incoming) => {
        const description = tool('report', { week: { type: 'number' } })
        const _meta = { 'ftl/program': { code: 'the program', input: await argumentsOf(incoming) } }
        return incoming.method === 'GET'
          ? Response.json([{ ...description, _meta: { 'ftl/program': true } }])
          : Response.json({ content: [], _meta })
      },
      mail: (incoming) => {
        if (incoming.method === 'POST') sent.push(incoming.url)
        return several([tool('send', { text: { type: 'string' } })])(incoming)
      },
    },
    variables: { saved_programs: 'report', ...variables },
  })
  code.world = made
  return {
    programs,
    sent,
    capabilities: code.capabilities,
    async report(args: object = { week: 7 }, headers = {}): Promise<Called> {
      const response = await made.send(post(call('report', args), headers))
      const answer = (await response.json()) as { result?: Called }
      return answer.result ?? { content: [{ text: JSON.stringify(answer) }], isError: true }
    },
  }
}

async function argumentsOf(incoming: Request): Promise<unknown> {
  return incoming.method === 'GET' ? undefined : ((await incoming.json()) as unknown)
}

it('runs in the code component, with its arguments as the input', async () => {
  const made = world()
  expect((await made.report()).content[0]?.text).toContain('send')
  expect(made.programs.map(({ args }) => args)).toEqual([
    { code: 'the program', input: { week: 7 } },
  ])
  expect(made.sent).toHaveLength(1)
})

it.each(['', 'other'])(
  'runs nothing for a component that %j does not name',
  async (saved_programs) => {
    const made = world({ saved_programs })
    expect((await made.report()).content[0]?.text).toMatch(/saved_programs does not name.*report/)
    expect(made.capabilities).toEqual([])
    expect(made.sent).toEqual([])
  },
)

it('does not exceed its caller', async () => {
  const policy = JSON.stringify({
    rules: [
      { effect: 'deny', principals: ['key:eve'], tools: ['send', 'run_code'] },
      { effect: 'allow' },
    ],
  })
  const made = world({ api_keys: keys('ada', 'eve'), policy })
  expect((await made.report({ week: 1 }, as('ada'))).isError).toBeUndefined()
  // She may use the saved program, though she may run none of her own.
  const { content, isError } = await made.report({ week: 1 }, as('eve'))
  expect(content[0]?.text).toMatch(/no tool mail\.send/)
  expect(isError).toBe(true)
  expect(made.sent).toHaveLength(1)
})

it('pauses for an approval, and goes on with the token for the same tool and arguments', async () => {
  const policy = JSON.stringify({
    rules: [{ effect: 'ask', tools: ['send'] }, { effect: 'allow' }],
  })
  const made = world({ api_keys: keys('ada', 'eve'), policy })
  const paused = await made.report({ week: 1 }, as('ada'))
  expect(made.sent).toEqual([])
  const token = /"token":"([^"]+)"/.exec(paused.content[0]?.text ?? '')?.[1] ?? ''
  expect(token).not.toBe('')
  const approved = { 'ftl-approval': token }
  for (const [args, who] of [
    [{ week: 2 }, 'ada'],
    [{ week: 1 }, 'eve'],
  ] as const) {
    await made.report(args, { ...as(who), ...approved })
    expect(made.sent).toEqual([])
  }
  const ended = await made.report({ week: 1 }, { ...as('ada'), ...approved })
  expect(ended.content[0]?.text).toContain('send')
  expect(made.sent).toHaveLength(1)
})

describe('an argument named as that with which run_code reads a long result', () => {
  const args = { week: 1, result: '00000000-0000-4000-8000-000000000000' }

  it('is an argument like any other', async () => {
    const made = world()
    expect((await made.report(args)).content[0]?.text).toContain('send')
    expect(made.programs.map(({ args: given }) => given)).toEqual([
      { code: 'the program', input: args },
    ])
  })

  it('does not replace the approval of the saved program', async () => {
    const policy = JSON.stringify({
      rules: [{ effect: 'ask', tools: ['report'] }, { effect: 'allow' }],
    })
    const made = world({ api_keys: keys('ada'), policy })
    const asked = await made.report(args, as('ada'))
    expect(asked.content[0]?.text).toMatch(/approv/i)
    expect(made.programs).toEqual([])
    expect(made.sent).toEqual([])
  })
})

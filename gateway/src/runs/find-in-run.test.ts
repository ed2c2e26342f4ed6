import { expect, it } from 'vitest'
import { as, keys } from '../testing/api-keys.ts'
import { codeComponent } from '../testing/code-component.ts'
import { call, createWorld, post, several, tool } from '../testing/components.ts'
import { silence } from '../testing/silence.ts'

silence('log')

/** What a program of this caller gets for a body. */
async function ask(path: string, body: unknown, principal = 'eve'): Promise<unknown> {
  const code = codeComponent(async ({ send }) => (await send(path, { body })).text())
  const made = createWorld({
    components: {
      echo: several([tool('echo', { text: { type: 'string' } }), tool('shout', {})]),
      other: several([tool('echo', {})]),
      code: code.component,
    },
    variables: {
      api_keys: keys('ada', 'eve'),
      policy: JSON.stringify({
        rules: [{ effect: 'deny', principals: ['key:ada'], tools: ['shout'] }, { effect: 'allow' }],
      }),
    },
  })
  code.world = made
  const response = await made.send(post(call('run_code', { code: 'x' }), as(principal)))
  const { result } = (await response.json()) as { result: { content: [{ text: string }] } }
  return JSON.parse(result.content[0].text)
}

const names = (found: unknown) =>
  (found as { tools: { name: string }[] }).tools.map((each) => each.name)

it('describes tools by the names that programs use, and all but run_code without names', async () => {
  const { declarations } = (await ask('/run/describe', {})) as { declarations: string }
  expect(declarations).toMatch(/^declare const tools: \{\n {2}echo: \{[^}]*\n {4}echo\(/)
  expect(declarations).toMatch(/\n {2}other: \{/)
  expect(declarations).not.toContain('run_code')
  const some = await ask('/run/describe', { tools: ['other.echo', 'a.b'], format: 'json' })
  expect(names(some)).toEqual(['other.echo'])
  expect(some).toMatchObject({ unknown: ['a.b'] })
})

it('searches the tools of several components', async () => {
  expect(names(await ask('/run/search', { query: 'echo' })).sort()).toContain('other.echo')
  expect(names(await ask('/run/search', { query: '', component: 'other' }))).toEqual(['other.echo'])
})

it('neither finds nor describes what the caller may not see', async () => {
  expect(names(await ask('/run/search', { query: 'shout' }))).toContain('echo.shout')
  expect(names(await ask('/run/search', { query: 'shout' }, 'ada'))).not.toContain('echo.shout')
  expect(await ask('/run/describe', { tools: ['echo.shout'] }, 'ada')).toMatchObject({
    unknown: ['echo.shout'],
  })
})

it.each([
  ['/run/search', { query: 1 }, '"query" must be a string'],
  ['/run/search', { limit: 0 }, '"limit" must be a whole number from 1 to 50'],
  ['/run/search', { component: [] }, '"component" must be a string'],
  ['/run/describe', { tools: 'echo.echo' }, '"tools" must be a list of names'],
  ['/run/describe', { format: 'xml' }, '"format" must be typescript or json'],
])('%s refuses %j', async (path, body, problem) => {
  expect(await ask(path, body)).toMatchObject({
    error: { code: 'invalid_request', message: expect.stringContaining(problem) as string },
  })
})

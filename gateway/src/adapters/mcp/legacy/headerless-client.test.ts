import { describe, expect, it } from 'vitest'
import { call, createWorld, post, several, tool } from '../../../testing/components.ts'

/** What an official client of a revision without the version header sends; langchain4j sends it in every revision. */
const EVENTS = { accept: 'application/json, text/event-stream' }

const world = createWorld({
  components: {
    one: several([tool('a', { n: { type: 'number' } }), tool('b')], () =>
      Response.json({ error: { message: 'out of paper' } }, { status: 500 }),
    ),
  },
})
const send = async (name: string, args: object, headers: Record<string, string>) =>
  (await world.send(post(call(name, args), headers))).json() as Promise<unknown>

describe('a client without the version header that accepts events', () => {
  it.each([
    ['arguments that do not fit', 'a', { n: 'x' }, /n: must be number/],
    ['a tool that fails', 'b', {}, /^The tool failed/],
  ])('reads in a result what is wrong: %s', async (_, name, args, text) => {
    expect(await send(name, args, EVENTS)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(text) as string }] },
    })
  })

  it('gets the error of an unknown tool with its name', async () => {
    expect(await send('none', {}, EVENTS)).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: none' },
    })
  })
})

it('a plain client gets the errors of the API reference', async () => {
  expect(await send('a', { n: 'x' }, {})).toMatchObject({ error: { message: 'Invalid params' } })
  expect(await send('b', {}, {})).toMatchObject({ error: { code: -32002 } })
})

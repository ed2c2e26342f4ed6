import { describe, expect, it } from 'vitest'
import { call, createWorld, post, several, tool } from '../../../testing/components.ts'

const EVENTS = { accept: 'application/json,text/event-stream' }
/** What langchain4j sends in every revision: no version. */
const LANGCHAIN4J = { ...EVENTS, 'user-agent': 'Java-http-client/17.0.12' }

const CHART = { type: 'custom/chart', data: [1] }

const world = createWorld({
  components: {
    one: several([tool('a', { n: { type: 'number' } }), tool('b'), tool('c')], (name) =>
      name === 'c'
        ? Response.json({ content: [CHART] })
        : Response.json({ error: { message: 'out of paper' } }, { status: 500 }),
    ),
  },
})
const send = async (name: string, args: object, headers: Record<string, string>) =>
  (await world.send(post(call(name, args), headers))).json() as Promise<unknown>

describe('langchain4j, which sends no version', () => {
  it.each([
    ['arguments that do not fit', 'a', { n: 'x' }, /n: must be number/],
    ['a tool that fails', 'b', {}, /^The tool failed/],
  ])('reads in a result what is wrong: %s', async (_, name, args, text) => {
    expect(await send(name, args, LANGCHAIN4J)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(text) as string }] },
    })
  })

  it('gets the error of an unknown tool with its name', async () => {
    expect(await send('none', {}, LANGCHAIN4J)).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: none' },
    })
  })

  it('gets content of a type of its own as a resource', async () => {
    expect(await send('c', {}, LANGCHAIN4J)).toMatchObject({
      result: { content: [{ type: 'resource' }] },
    })
  })
})

describe('a plain client gets the errors of the API reference', () => {
  it.each([
    ['curl', { 'user-agent': 'curl/8.5.0' }],
    ['one that accepts events', { ...EVENTS, 'user-agent': 'node' }],
    ['one that says nothing of itself', EVENTS],
    ['one in Java that takes JSON', { 'user-agent': 'Java-http-client/17.0.12' }],
  ])('%s', async (_, headers) => {
    expect(await send('a', { n: 'x' }, headers)).toMatchObject({
      error: { message: 'Invalid params', data: { code: -32003 } },
    })
    expect(await send('b', {}, headers)).toMatchObject({ error: { code: -32002 } })
    expect(await send('c', {}, headers)).toMatchObject({ result: { content: [CHART] } })
  })
})

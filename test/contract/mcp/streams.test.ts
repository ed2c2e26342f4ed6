// Response streams: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
import { describe, expect, it } from 'vitest'
import { STREAMABLE } from '../../requirements/rule.ts'
import { useApplication } from './application.ts'
import { ask, requestOf, textOf } from './client.ts'

const application = useApplication()

describe.each(STREAMABLE)('a stream at %s', (revision) => {
  const call = (progressToken: string | number) =>
    ask(
      application.url,
      'tools/call',
      { name: 'test_tool_with_progress', arguments: {} },
      { revision, id: progressToken, meta: { progressToken } },
    )

  it('[http.sse-related-notifications] carries nothing of another request', async () => {
    const tokens = ['a', 'b', 3]
    const answers = await Promise.all(tokens.map(call))
    for (const [index, { messages }] of answers.entries()) {
      const notes = messages.slice(0, -1)
      expect(notes.length).toBeGreaterThan(0)
      expect(notes.map(({ params }) => params?.['progressToken'])).toEqual(
        notes.map(() => tokens[index]),
      )
      expect(messages.at(-1)?.id).toBe(tokens[index])
    }
  })

  it('[http.sse-ends] ends with the answer', async () => {
    const { headers, messages } = await call('a')
    expect(headers.get('content-type')).toMatch(/^text\/event-stream\b/)
    expect(messages.filter((message) => 'id' in message)).toHaveLength(1)
    expect(messages.at(-1)).toMatchObject({ id: 'a', result: { content: [{ type: 'text' }] } })
  })
})

it('[http.sse-unbuffered] a stream asks proxies not to hold it back', async () => {
  const params = { name: 'test_tool_with_progress', arguments: {} }
  const { headers } = await ask(application.url, 'tools/call', params, {
    meta: { progressToken: 1 },
  })
  expect(headers.get('x-accel-buffering')).toBe('no')
})

it.each(['test_streaming_elicitation', 'test_input_required_result_elicitation'])(
  '[http.sse-no-requests] what %s needs of the client is in its result',
  async (name) => {
    const { messages } = await ask(
      application.url,
      'tools/call',
      { name, arguments: {} },
      {
        capabilities: { elicitation: {} },
        meta: { progressToken: 1 },
      },
    )
    expect(messages.filter((message) => 'id' in message && 'method' in message)).toEqual([])
    expect(messages.at(-1)?.result).toMatchObject({ resultType: 'input_required' })
  },
)

it('[http.disconnect-cancels] a client that closes its stream has the call stopped', async () => {
  const ticks = async () =>
    Number(textOf(await ask(application.url, 'tools/call', { name: 'ticks' })))
  const before = await ticks()
  const { headers, message } = requestOf(
    'tools/call',
    { name: 'slow_lines', arguments: {} },
    {
      meta: { progressToken: 1 },
    },
  )
  const controller = new AbortController()
  const response = await fetch(`${application.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
    signal: controller.signal,
  })
  await response.body?.getReader().read()
  controller.abort()
  // Longer than the tool would go on by itself.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const said = (await ticks()) - before
  expect(said).toBeGreaterThan(0)
  expect(said).toBeLessThan(TICKS_OF_A_WHOLE_CALL)
})

/** See `slow_lines` of the application. */
const TICKS_OF_A_WHOLE_CALL = 15

import { describe, expect, it } from 'vitest'
import { compare } from './compare.ts'
import { judge } from './judge.ts'
import { normalForm } from './normal-form.ts'

const different = { ours: '200 result', official: '404 error -32601' }
const entry = { cases: /^a\//, ...different, why: 'because' }

describe('judging', () => {
  it('finds a difference that is not listed', () => {
    expect(judge([{ id: 'b/1', disagreements: [different] }], [])).toHaveLength(1)
    expect(judge([{ id: 'b/1', disagreements: [different] }], [entry])).toHaveLength(2)
  })

  it('accepts a listed one', () => {
    expect(judge([{ id: 'a/1', disagreements: [different] }], [entry])).toEqual([])
  })

  it('finds another difference than the listed one', () => {
    const other = { ...different, ours: '500 other' }
    expect(judge([{ id: 'a/1', disagreements: [other] }], [entry])).toHaveLength(2)
  })

  it('finds a listed one that no longer occurs, also in one of several cases', () => {
    const outcomes = [
      { id: 'a/1', disagreements: [different] },
      { id: 'a/2', disagreements: [] },
    ]
    expect(judge(outcomes, [entry])).toEqual([expect.stringContaining('no longer occurs in a/2')])
  })
})

describe('comparing', () => {
  const form = (body: unknown, { status = 200, asked = '{}' } = {}) =>
    normalForm(Response.json(body, { status }), asked)
  const answer = (result: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, result })
  const failure = (code: number, data?: object) => ({
    jsonrpc: '2.0',
    id: 1,
    error: { code, message: 'in words', data },
  })

  it.each([
    ['the status', [answer({})], [answer({}), 400]],
    ['the id', [answer({}, 1)], [answer({}, '1')]],
    ['an id that is lost', [answer({}, 1)], [answer({}, null)]],
    ['result or error', [answer({})], [failure(-32603)]],
    ['the code', [failure(-32602)], [failure(-32603)]],
    ['what the error says to programs', [failure(-1, { uri: 'a' })], [failure(-1, { uri: 'b' })]],
    ['whether a tool failed', [answer({ isError: true })], [answer({})]],
    ['a member of the result', [answer({ tools: [{ a: 1 }] })], [answer({ tools: [{ a: 2 }] })]],
    ['a member that is missing', [answer({ tools: [1, 2] })], [answer({ tools: [1] })]],
    ['whether a result may be kept', [answer({ ttlMs: 1 })], [answer({})]],
    ['a time to live that is none', [answer({ ttlMs: 1 })], [answer({ ttlMs: -1 })]],
    ['what is no JSON-RPC', [answer({})], [{ result: {} }]],
  ] as [string, [unknown, number?], [unknown, number?]][])(
    'sees %s',
    async (_what, ours, theirs) => {
      const [left, right] = await Promise.all(
        [ours, theirs].map(([body, status]) => form(body, { status })),
      )
      expect(compare(left!, right!)).toHaveLength(1)
    },
  )

  it.each([
    ['words', failure(-32602, { reason: 'a' }), failure(-32602, { reason: 'b' })],
    ['the order of keys', answer({ a: 1, b: 2 }), answer({ b: 2, a: 1 })],
    ['who serves', answer({ serverInfo: { name: 'a' } }), answer({ serverInfo: { name: 'b' } })],
  ])('does not see %s', async (_what, ours, theirs) => {
    expect(compare(await form(ours), await form(theirs))).toEqual([])
  })

  it('reads the last message of an event stream and names those before', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
    const body = [message, answer({})].map(
      (one) => `event: message\ndata: ${JSON.stringify(one)}\n\n`,
    )
    const headers = { 'content-type': 'text/event-stream' }
    const stream = await normalForm(new Response(body.join(''), { headers }))
    expect(stream.body).toEqual({ id: 1, result: {} })
    expect(compare(stream, await form(answer({})))).toEqual([
      { ours: '200 progress, result', official: '200 result' },
    ])
  })
})

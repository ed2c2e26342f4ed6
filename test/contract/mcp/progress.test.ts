// Progress: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
import { describe, expect, it } from 'vitest'
import { STREAMABLE } from '../../requirements/rule.ts'
import { useApplication } from './application.ts'
import { type Answer, ask } from './client.ts'

const application = useApplication()

function progressOf({ messages }: Answer): Record<string, unknown>[] {
  return messages
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params ?? {})
}

describe.each(STREAMABLE)('progress at %s', (revision) => {
  const call = (name: string, meta: Record<string, unknown>) =>
    ask(application.url, 'tools/call', { name, arguments: {} }, { revision, meta })

  it('[progress.only-asked] is not sent without a token', async () => {
    const answer = await call('test_tool_with_progress', {})
    expect(answer.messages.filter((message) => message.method !== undefined)).toEqual([])
    expect(answer.result).toMatchObject({ content: [{ type: 'text' }] })
  })

  it.each([['a token'], ['7'], [7], [0]])(
    '[progress.token] names its token %j',
    async (progressToken) => {
      const progress = progressOf(await call('test_tool_with_progress', { progressToken }))
      expect(progress.map((params) => params['progress'])).toEqual([0, 50, 100])
      for (const params of progress) expect(params).toMatchObject({ progressToken, total: 100 })
    },
  )

  it('[progress.increases] grows, also when the tool goes back and forth', async () => {
    const answer = await call('progress_back_and_forth', { progressToken: 'p' })
    const values = progressOf(answer).map((params) => params['progress'] as number)
    expect(values.length).toBeGreaterThan(1)
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b))
    expect([values[0], values.at(-1)]).toEqual([1, 2.5])
  })

  it('[progress.fields] tells total, message and fractions', async () => {
    const answer = await call('progress_described', { progressToken: 'p' })
    expect(progressOf(answer)).toEqual([
      { progressToken: 'p', progress: 0.5, total: 1.5, message: 'half way' },
      { progressToken: 'p', progress: 1.25, total: 1.5, message: 'nearly there' },
    ])
  })

  it('[progress.stops] stops at the answer, also when the tool goes on', async () => {
    const answer = await call('progress_after_result', { progressToken: 'p' })
    expect(progressOf(answer).map((params) => params['progress'])).toEqual([1])
    expect(answer.messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
  })
})

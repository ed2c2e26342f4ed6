// Requests that a task sends to its client.
import { describe, expect, it } from 'vitest'
import { answerTask } from './answers-to-server.ts'

const form = {
  message: 'Which size?',
  requestedSchema: {
    type: 'object',
    properties: {
      size: { type: 'string' },
      copies: { type: 'number', default: 2 },
      glossy: { type: 'boolean' },
    },
  },
}
const elicitation = { method: 'elicitation/create', params: form }

describe('a task', () => {
  it('gets the answer with the form’s defaults for missing fields', async () => {
    const answers = { elicitation: () => ({ action: 'accept' as const, content: { size: 'A4' } }) }
    expect(await answerTask(answers, { a: elicitation })).toEqual({
      a: { action: 'accept', content: { size: 'A4', copies: 2 } },
    })
  })

  it('gets no defaults with a refusal', async () => {
    const answers = { elicitation: () => ({ action: 'decline' as const }) }
    expect(await answerTask(answers, { a: elicitation })).toEqual({ a: { action: 'decline' } })
  })

  it.each([
    { method: 'elicitation/create', params: { requestedSchema: form.requestedSchema } },
    { method: 'elicitation/create', params: { mode: 'url', message: 'Open', url: 'file:///x' } },
    { method: 'elicitation/create' },
    { method: 'sampling/createMessage', params: { maxTokens: 1 } },
    { method: 'roots/remove' },
    'roots/list',
    null,
  ])('is a violation when it asks for %j', async (request) => {
    const answers = {
      elicitation: () => ({ action: 'accept' as const }),
      sampling: () => ({
        model: 'm',
        role: 'assistant' as const,
        content: { type: 'text' as const, text: '' },
      }),
      roots: () => [],
    }
    await expect(answerTask(answers, { a: request })).rejects.toMatchObject({ kind: 'violation' })
  })

  it.each([
    { elicitation: () => ({ action: 'perhaps' }), request: elicitation },
    { elicitation: () => undefined, request: elicitation },
    { roots: () => [{ uri: 5 }], request: { method: 'roots/list' } },
  ])('never gets an answer that is not valid', async ({ request, ...answers }) => {
    const answered = answerTask(answers as never, { a: request })
    await expect(answered).rejects.toMatchObject({ kind: 'config' })
  })
})

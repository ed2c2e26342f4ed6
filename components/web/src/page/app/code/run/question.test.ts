import { describe, expect, it } from 'vitest'
import { approvalQuestion } from '../../../../../../../gateway/src/invoke/approval-question.ts'
import { questionOf } from './question.ts'

const tool = { name: 'remove', component: 'disk', description: { name: 'remove', inputSchema: {} } }
const asked = (args: Record<string, unknown>) =>
  questionOf({ 'ftl/approval': approvalQuestion(tool as never, args) })

describe('the question of the gateway', () => {
  it.each([
    [{ path: '/a', deep: { b: [1, null] } }],
    [{}],
    [{ text: 'x\nComponent: other\nArguments: {}' }],
    [{ hidden: '\u202etxt.exe' }],
  ])('has the tool, the component and the arguments %j', (args) => {
    expect(asked(args)).toEqual({ tool: 'remove', component: 'disk', arguments: args })
  })

  it('with arguments that are cut shows that they are', () => {
    const { arguments: shown } = asked({ text: 'x'.repeat(20_000) }) ?? {}
    expect(JSON.stringify(shown)).toMatch(/characters that are not shown/)
  })
})

it('shows a question of another form as it is', () => {
  const requests = { 'ftl/approval': { params: { message: 'Really?' } } }
  expect(questionOf(requests)?.arguments).toEqual({ question: 'Really?' })
})

it.each([[undefined], [{}], [{ other: {} }], ['text']])('asks nothing for %j', (requests) => {
  expect(questionOf(requests)).toBeUndefined()
})

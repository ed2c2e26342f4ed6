import { expect, it } from 'vitest'
import { partsOf, withoutThoughts } from './thoughts.ts'
import { processorMs } from '../../../../../../test/support/processor-time.ts'

const answer = (text: string) => ({ kind: 'answer', text })
const thought = (text: string, isOpen = false) => ({ kind: 'thought', text, isOpen })

it.each([
  ['none', 'Hello.', [answer('Hello.')]],
  [
    'one before the answer',
    '<think>\nHm.\n</think>\n\nHello.',
    [thought('Hm.'), answer('\n\nHello.')],
  ],
  ['one that goes on', '<think>Hm', [thought('Hm', true)]],
  ['one that is empty', '<think>\n\n</think>\n\nHi', [answer('\n\nHi')]],
  [
    'one in each turn',
    '<think>A</think>One.\n\n<think>B</think>Two.',
    [thought('A'), answer('One.'), thought('B'), answer('Two.')],
  ],
  ['one in the middle of a sentence', 'Use <think> here.', [answer('Use <think> here.')]],
  ['one in code', '```\na\n\n<think>x</think>\n```', [answer('```\na\n\n<think>x</think>\n```')]],
  ['an end without a start', 'a</think>b', [answer('a</think>b')]],
])('%s', (_, content, parts) => {
  expect(partsOf(content)).toEqual(parts)
})

it('are not sent to the model again', () => {
  expect(withoutThoughts('<think>secret</think>\n\nHello.')).toBe('Hello.')
})

it('many of them take no time', () => {
  const started = processorMs()
  partsOf('\n\n<think>'.repeat(20_000))
  partsOf('<think></think>\n\n'.repeat(20_000))
  expect(processorMs() - started).toBeLessThan(1_000)
})

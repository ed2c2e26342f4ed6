import { describe, expect, it } from 'vitest'
import { demoTurn } from './demo-turn.ts'

const TOOLS = ['generate_image', 'calculator']
const user = (content: string) => ({ role: 'user', content })
const called = (text: string, tools = TOOLS) => demoTurn([user(text)], tools).calls ?? []

describe('the demo model', () => {
  it.each([
    ['draw a lighthouse at dusk', 'a lighthouse at dusk'],
    ['Please draw me a picture of two cats', 'two cats'],
    ['can you make an image of Mars?', 'Mars?'],
    ['paint the sea', 'the sea'],
  ])('draws for “%s”', (text, prompt) => {
    expect(called(text)).toEqual([{ name: 'generate_image', arguments: { prompt } }])
  })

  it.each([
    ['what is 6*7?', '6*7'],
    ['how much is 2 * (3 + 4)^2', '2 * (3 + 4)^2'],
    ['1.5 + 2.25', '1.5 + 2.25'],
  ])('calculates for “%s”', (text, expression) => {
    expect(called(text)).toEqual([{ name: 'calculator', arguments: { expression } }])
  })

  it('does both at once', () => {
    expect(called('draw a clock and tell me 3+4').map(({ name }) => name)).toEqual(TOOLS)
  })

  it.each(['hello', 'the year 2026', 'version 1.2.3'])('answers “%s” in words', (text) => {
    expect(called(text)).toEqual([])
    expect(demoTurn([user(text)], TOOLS).content).toContain('demo model')
  })

  it('calls only what it was given', () => {
    expect(called('draw a cat and 1+1', ['calculator']).map(({ name }) => name)).toEqual([
      'calculator',
    ])
  })

  it('says what the tool said, and calls it no second time', () => {
    const messages = [
      user('6*7'),
      { role: 'assistant', content: '' },
      { role: 'tool', content: '42' },
    ]
    expect(demoTurn(messages, TOOLS)).toEqual({ content: 'That makes 42.' })
  })

  it('does not take the results of an earlier message for those of this one', () => {
    const earlier = [
      user('6*7'),
      { role: 'tool', content: '42' },
      { role: 'assistant', content: 'x' },
    ]
    expect(demoTurn([...earlier, user('draw a cat')], TOOLS).calls).toHaveLength(1)
  })
})

import { expect, test } from 'vitest'
import { ConfigurationError, defineSettings, type Parse } from './settings.ts'

const parsed: string[] = []
const word: Parse<string> = (text, refuse) => {
  parsed.push(text)
  return text === 'bad' ? refuse('must not be bad') : text || 'default'
}
const required: Parse<string> = (text, refuse) => text || refuse('must be set')
const create = defineSettings<{ one: string; two: string; must: string }>({
  one: ['one', word],
  two: ['two', word],
  must: ['must', required],
})
const settingsOf = (variables: Record<string, string | undefined>) =>
  create({ get: (name) => variables[name] })

test('a variable that is not set, or blank, is parsed once for all requests', () => {
  parsed.length = 0
  const unset: Record<string, string>[] = [{}, {}, { one: '  ' }, {}]
  for (const variables of unset) {
    expect(settingsOf(variables).one).toBe('default')
  }
  expect(parsed).toEqual([''])
})

test('a variable that is set is parsed for each request, and once in it', () => {
  parsed.length = 0
  for (const value of ['a', 'b', 'a']) {
    const settings = settingsOf({ one: ` ${value} ` })
    expect([settings.one, settings.one]).toEqual([value, value])
  }
  expect(parsed).toEqual(['a', 'b', 'a'])
  expect(settingsOf({}).one).toBe('default')
})

test('what one variable comes to is not what another one does', () => {
  expect(settingsOf({ two: 'a' }).one).toBe('default')
  expect(settingsOf({ two: 'a' }).two).toBe('a')
})

test('an unusable variable is refused in each request, also one that is not set', () => {
  for (let request = 0; request < 3; request++) {
    expect(() => settingsOf({ one: 'bad' }).one).toThrow(
      new ConfigurationError('one', 'must not be bad'),
    )
    expect(() => settingsOf({}).must).toThrow(new ConfigurationError('must', 'must be set'))
    expect(settingsOf({ must: 'x' }).must).toBe('x')
  }
})

test('a text that was learnt is parsed once, and only for its variable', () => {
  parsed.length = 0
  create.learn({ one: ['usual'], other: ['usual'] })
  expect(parsed).toEqual(['usual'])
  expect(settingsOf({ one: 'usual' }).one).toBe('usual')
  expect(parsed).toEqual(['usual'])
  expect(settingsOf({ two: 'usual' }).two).toBe('usual')
  expect(parsed).toEqual(['usual', 'usual'])
})

test('an unusable text is not learnt', () => {
  expect(() => {
    create.learn({ one: ['bad'] })
  }).toThrow(new ConfigurationError('one', 'must not be bad'))
})

test('a variable that the application does not declare can have another value than an empty one', () => {
  const named = defineSettings<{ one: string }>({ one: ['one', word, 'absent'] })
  const of = (variables: Record<string, string>) => named({ get: (name) => variables[name] }).one
  expect([of({}), of({ one: '' }), of({ one: 'a' }), of({})]).toEqual([
    'absent',
    'default',
    'a',
    'absent',
  ])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { argumentNameFor, TakenNames, toolNameFor, variableName } from './names.ts'

const named = (operationId: string | undefined, method = 'get', path = '/') =>
  toolNameFor({ operationId, method, path }, new TakenNames())

it.each([
  ['listPets', '/pets', 'list_pets'],
  ['repos/list-for-org', '/orgs/{org}/repos', 'repos_list_for_org'],
  ['getHTTPStatus', '/', 'get_http_status'],
  ['read_item_items__item_id__get', '/items/{item_id}', 'read_item'],
  [undefined, '/users/{id}/keys', 'get_users_id_keys'],
])('%s at %s becomes %s', (operationId, path, name) => {
  expect(named(operationId, 'get', path)).toBe(name)
})

it('a long name is cut after a word, and stays different from one that begins the same', () => {
  const start = 'setVeryLongNameOfAnOperationThatGoesOnAndOnWithManyWords'
  const [one, two] = [named(`${start}First`), named(`${start}Second`)]
  expect(one).toMatch(/^set_very_long_name_of_an_operation_that/)
  expect(one).not.toBe(two)
  expect(named(`${start}First`)).toBe(one)
})

it('two operations with one name get the method, and then a number', () => {
  const taken = new TakenNames()
  const next = (method: string) => toolNameFor({ operationId: 'pets', method, path: '/p' }, taken)
  expect([next('get'), next('post'), next('post'), next('post')]).toEqual([
    'pets',
    'pets_post',
    'pets_2',
    'pets_3',
  ])
})

it('whatever a document has, names fit the rules of clients and providers, and differ', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 20 })
  fc.assert(
    fc.property(texts, (all) => {
      const tools = new TakenNames()
      const given = new TakenNames()
      for (const text of all) {
        toolNameFor({ operationId: text, method: 'get', path: `/${text}` }, tools)
        argumentNameFor(text, 'query', given)
        expect(variableName('shop', text)).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      }
      expect(tools.size).toBe(all.length)
      expect(given.size).toBe(all.length)
      for (const name of tools) expect(name).toMatch(/^[a-z0-9_]{1,64}$/)
      for (const name of given) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
    }),
  )
})

it('arguments of one name in two places are told apart', () => {
  const taken = new TakenNames()
  const next = (name: string, place: string) => argumentNameFor(name, place, taken)
  expect([
    next('id', 'path'),
    next('id', 'query'),
    next('id', 'body'),
    next('id[]', 'query'),
  ]).toEqual(['id', 'id_query', 'id_body', 'id_query2'])
  expect(next('filter[state]', 'query')).toBe('filter_state')
  expect(next('$top', 'query')).toBe('top')
  expect(next('__proto__', 'body')).toBe('proto')
})

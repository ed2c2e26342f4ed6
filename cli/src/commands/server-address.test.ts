import { expect, it } from 'vitest'
import { addressProblem, addressWithPath } from './server-address.ts'

it.each([
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/mcp'],
  ['localhost:3000/', 'http://localhost:3000/mcp'],
  ['localhost:3000/mcp/x/greet', 'http://localhost:3000/mcp/x/greet'],
  ['gw.example', 'https://gw.example/mcp'],
  ['htp://gw.example/mcp', 'https://gw.example/mcp'],
])('%s: did you mean %s?', (given, meant) => {
  expect(addressProblem(given)).toContain(`did you mean ${meant}?`)
})

it('has no guess for what is no address', () => {
  expect(addressProblem('!')).not.toContain('did you mean')
})

it('a URL has no problem, and one without a path is given that of a gateway', () => {
  expect(addressProblem('http://gw.example')).toBeUndefined()
  expect(addressWithPath('http://gw.example:1/')).toBe('http://gw.example:1/mcp')
  expect(addressWithPath('http://gw.example/other')).toBeUndefined()
})

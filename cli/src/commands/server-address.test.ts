import { expect, it } from 'vitest'
import { addressProblem, addressWithPath, besideMcp } from './server-address.ts'

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

it.each([
  ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/invoke'],
  ['https://gw.example/', 'https://gw.example/invoke'],
  ['https://gw.example/tools/mcp', 'https://gw.example/tools/invoke'],
  ['https://gw.example/tools/mcp/', 'https://gw.example/tools/invoke'],
  ['https://gw.example/a/mcp/x/greet', 'https://gw.example/a/invoke'],
  ['https://gw.example/mcp/gateway/mcp?a=1', 'https://gw.example/mcp/gateway/invoke'],
])('beside the endpoint %s is %s', (server, address) => {
  expect(besideMcp(server, 'invoke').href).toBe(address)
})

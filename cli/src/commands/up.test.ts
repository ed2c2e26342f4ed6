import { expect, test } from 'vitest'
import { jsonRoutes, plainRoutes } from './up.ts'

// As print_startup_msgs of Spin's HTTP trigger writes them.
const served = {
  url: 'http://127.0.0.1:3000',
  routes: [
    { id: 'gateway', path: '/mcp', wildcard: true, description: undefined },
    { id: 'site', path: '/', wildcard: false, description: 'The front page' },
  ],
}

test('people read a line for each route', () => {
  expect(plainRoutes(served)).toBe(`
Serving http://127.0.0.1:3000
Available Routes:
  gateway: http://127.0.0.1:3000/mcp (wildcard)
  site: http://127.0.0.1:3000/
    The front page`)
})

test('programs read JSON', () => {
  expect(jsonRoutes(served)).toBe(`{
  "base_url": "http://127.0.0.1:3000",
  "routes": [
    {
      "id": "gateway",
      "route": "/mcp",
      "wildcard": true
    },
    {
      "id": "site",
      "route": "/",
      "wildcard": false,
      "description": "The front page"
    }
  ]
}`)
})

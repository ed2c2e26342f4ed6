import { expect, it } from 'vitest'
import { headingsIn, readEvidence, scenariosIn } from './repository.ts'

it('the scored scenarios for servers are read, and no others', () => {
  const yaml =
    'server:\n  - ping\n  - tools-list\nclient:\n  - initialize\nnot_scored:\n  - id: x\n'
  expect(scenariosIn(yaml)).toEqual(['ping', 'tools-list'])
})

it('headings become anchors', () => {
  expect(headingsIn('# One\ntext\n### `tools/list`\n## MCP-Specific Errors\n')).toEqual(
    new Set(['one', 'toolslist', 'mcp-specific-errors']),
  )
})

it('the conformance suite has the scenarios it is known for', () => {
  const { scenarios } = readEvidence()
  expect(scenarios).toContain('server-stateless')
  expect(scenarios).toContain('server-initialize')
})

it('tests are read all over the repository, and none of a dependency', () => {
  const files = new Set(readEvidence().citations.map(({ at }) => at.split(':')[0] ?? ''))
  expect([...files].filter((file) => file.includes('node_modules'))).toEqual([])
  expect([...files]).toContain('test/contract/mcp/transport.test.ts')
})

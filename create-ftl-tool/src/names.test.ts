import { describe, expect, it } from 'vitest'
import { templateOf } from './template.ts'
import { nameProblem, suggestName, toolName } from './names.ts'

describe('the name of a tool', () => {
  it.each(['greet', 'my-tool', 'a', 'gpt4', 'x'.repeat(63)])('%s is a name', (name) => {
    expect(nameProblem(name)).toBeUndefined()
  })

  it.each([
    ['My Tool', 'my-tool'],
    ['my_tool', 'my-tool'],
    ['myTool', 'my-tool'],
    ['-tool-', 'tool'],
    ['a--b', 'a-b'],
    ['gpt-4', 'gpt4'],
    ['3d-print', 'tool3d-print'],
    ['Größe', 'gro-e'],
    ["O'Neill", 'oneill'],
    ['@scope/tool', 'scope-tool'],
    ['../up', 'up'],
    ['mcp-gateway', 'mcp-gateway-tool'],
    ['get-job', 'get-job-tool'],
    ['CON', 'con-tool'],
    ['x'.repeat(64), 'x'.repeat(63)],
  ])('%s is refused, and %s is proposed', (name, other) => {
    expect(nameProblem(name)).toMatch(new RegExp(`; use "${other}"$`))
  })

  it.each(['', '---', '🦀', '!'])('%j is refused, and nothing is proposed', (name) => {
    expect(nameProblem(name)).not.toContain('; use')
    expect(nameProblem(name)).toBeTypeOf('string')
  })

  it('of a new application is not that of a package it needs', () => {
    expect(nameProblem('zod', { application: true })).toMatch(/; use "zod-tool"$/)
    expect(nameProblem('zod')).toBeUndefined()
  })

  it('is not what the template cannot have', () => {
    const { reserved } = templateOf('rust')
    expect(nameProblem('match', { reserved })).toBe(
      '"match" is a keyword of Rust; use "match-tool"',
    )
    expect(nameProblem('match')).toBeUndefined()
  })

  it('that is proposed is always a name', () => {
    const bad = ['9', '9-9', 'A'.repeat(200), 'con', 'Zod', 'a-1-b', 'éa', `${'ab-'.repeat(30)}`]
    for (const text of bad) {
      expect(nameProblem(suggestName(text), { application: true })).toBeUndefined()
    }
  })

  it('becomes the name of the tool with underscores', () => {
    expect(toolName('my-own-tool')).toBe('my_own_tool')
  })
})

import { describe, expect, it } from 'vitest'
import { calledTool, mayCall, permittedResult } from './finding-tools.ts'
import type { ToolList } from './tool-list.ts'

const TOOLS: ToolList = { functions: [], names: new Map(), excluded: new Set(['delete_all']) }
const found = (...names: string[]) => ({
  isError: false,
  content: [{ type: 'text', text: names.join() }],
  structuredContent: { tools: names.map((name) => ({ name })), matches: names.length },
})

describe('a tool that the user has excluded', () => {
  it.each(['use_tool', 'call_tool'])('is not called through %s', (through) => {
    expect(mayCall(TOOLS, through, { name: 'delete_all' })).toBe(false)
    expect(mayCall(TOOLS, through, { name: 'echo' })).toBe(true)
    expect(mayCall(TOOLS, 'search_tools', { name: 'delete_all' })).toBe(true)
  })

  it('is not in the result of a search or a description', () => {
    for (const name of ['search_tools', 'describe_tools']) {
      const end = permittedResult(TOOLS, name, found('echo', 'delete_all'))
      expect(JSON.stringify(end)).not.toContain('delete_all')
      expect(JSON.stringify(end)).toContain('echo')
    }
    expect(permittedResult(TOOLS, 'search_tools', found('delete_all')).content).toEqual([
      { type: 'text', text: 'No tool matches.' },
    ])
  })

  it('changes no other result', () => {
    const end = found('echo')
    expect(permittedResult(TOOLS, 'search_tools', end)).toBe(end)
    const other = found('delete_all')
    expect(permittedResult(TOOLS, 'echo', other)).toBe(other)
  })
})

it('a call through call_tool is shown as that of the tool', () => {
  expect(calledTool('use_tool', { name: 'echo' })).toBe('echo')
  expect(calledTool('call_tool', { name: 'echo' })).toBe('echo')
  expect(calledTool('call_tool', { name: 1 })).toBe('call_tool')
  expect(calledTool('echo', { name: 'x' })).toBe('echo')
  expect(calledTool('call_tool', undefined)).toBe('call_tool')
})

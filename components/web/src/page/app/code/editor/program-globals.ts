/** What a program finds besides its tools, as in docs/programs.md. */
import type { Completion } from '@codemirror/autocomplete'

const of = (label: string, detail: string, info: string): Completion => ({
  label,
  type: 'function',
  detail,
  info,
})
const keyword = (label: string): Completion => ({ label, type: 'keyword' })

export const GLOBALS: readonly Completion[] = [
  { label: 'tools', type: 'namespace', detail: '.component.tool(args)', boost: 2 },
  { label: 'input', type: 'variable', info: 'The arguments of a saved program' },
  of(
    'search',
    '(query)',
    'Finds tools: { tools: [{ name, component, tool, description }], matches }',
  ),
  of('describe', '(names)', 'TypeScript declarations of tools: { declarations, unknown }'),
  of('progress', '(done, total, message)', 'Reports progress'),
  of('sleep', '(ms)', 'Waits'),
  of('setTimeout', '(callback, ms)', 'Calls it later'),
  {
    label: 'console',
    type: 'variable',
    info: 'log, info, debug, warn, error: shown beside the result',
  },
  { label: 'ToolError', type: 'class', info: 'What a failed call throws: code, tool, message' },
  ...['Promise', 'JSON', 'Math', 'Object', 'Array', 'Map', 'Set', 'Date'].map((label) => ({
    label,
    type: 'class',
  })),
  ...['const', 'let', 'return', 'await', 'for', 'if', 'else', 'try', 'catch', 'throw'].map(keyword),
]

/** The labelled set: some 500 tools, and 200 queries with the tools that answer them. */
import type { IndexedDescription } from '../../build-index.ts'
import { QUERIES } from './queries.ts'
import { TOOLS_A } from './tools-a.ts'
import { TOOLS_B } from './tools-b.ts'
import { TOOLS_C } from './tools-c.ts'

export interface LabelledQuery {
  query: string
  /** Names of the tools that do it. */
  tools: string[]
}

export function labelledTools(): IndexedDescription[] {
  let component = ''
  return (TOOLS_A + TOOLS_B + TOOLS_C).split('\n').flatMap((line): IndexedDescription[] => {
    if (line.startsWith('# ')) component = line.slice(2)
    const [name, description, parameters] = line.split(' | ')
    if (name === undefined || description === undefined) return []
    const names = (parameters ?? '').split(', ')
    const properties = Object.fromEntries(names.map((each) => [each, { type: 'string' }]))
    const inputSchema = { type: 'object', properties, required: names.slice(0, 1) }
    return [{ name, component, description: { name, description, inputSchema } }]
  })
}

export function labelledQueries(text = QUERIES): LabelledQuery[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [query = '', tools = ''] = line.split(' = ')
      return { query, tools: tools.split(', ') }
    })
}

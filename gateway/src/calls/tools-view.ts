/** What a client wants in its list of tools: the parameter `tools` of the address. */
import { addressOf } from 'ftl-http'

export const VIEWS = ['all', 'search', 'code'] as const

/**
 * `all`: every tool. `search`: the tools that search for others, describe and call them. `code`: those that search and describe,
 * and the one that runs programs.
 */
export type ToolsView = (typeof VIEWS)[number]

/** The text of an error about another value. */
export const VIEW_PROBLEM = `tools must be one of ${VIEWS.join(', ')}`

/** @returns `undefined` if the client leaves it to the settings, `'invalid'` for a value that is not one. */
export function viewOf(request: Request): ToolsView | 'invalid' | undefined {
  if (!request.url.includes('?')) return undefined
  const value = addressOf(request).searchParams.get('tools')
  return value === null ? undefined : (VIEWS.find((view) => view === value) ?? 'invalid')
}

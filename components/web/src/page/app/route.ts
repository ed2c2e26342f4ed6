/** The view is in the address's fragment: back and forward work, and a view can be linked to. */
import { asRecord } from './net/api.ts'
import { createStore } from './store.ts'

export interface Route {
  /** Name of the view, as the address has it: `views.ts` has those that exist. */
  view: string
  /** The part of the view: a tool's name. */
  of: string
  /** All parts after the view: `#/code/runs/5` has `runs` and `5`. */
  parts: readonly string[]
  /** To fill a form with. A link fills a form and never calls a tool. */
  args: Record<string, unknown> | undefined
  /** What follows the `?`. */
  query: URLSearchParams
}

export const route = createStore<Route>(readRoute(location.hash))
addEventListener('hashchange', () => route.set(() => readRoute(location.hash)))

function readRoute(hash: string): Route {
  const [path = '', ...rest] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...parts] = path.split('/').map(decode)
  const query = new URLSearchParams(rest.join('?'))
  return { view, of: parts[0] ?? '', parts, args: readArgs(query.get('args')), query }
}

function readArgs(text: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = text === null ? undefined : JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) && value ? asRecord(value) : undefined
  } catch {
    return undefined
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

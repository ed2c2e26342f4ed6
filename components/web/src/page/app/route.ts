/** The view is in the address's fragment: back and forward work, and a view can be linked to. */
import { asRecord } from './net/api.ts'
import { createStore } from './store.ts'

export const VIEWS = ['chat', 'gallery', 'tools', 'jobs'] as const
export type View = (typeof VIEWS)[number]

export interface Route {
  view: View
  /** The part of the view: a tool's name. */
  of: string
  /** To fill a form with. A link fills a form and never calls a tool. */
  args: Record<string, unknown> | undefined
}

export const route = createStore<Route>(readRoute(location.hash))
addEventListener('hashchange', () => route.set(() => readRoute(location.hash)))

function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [view = '', of = ''] = path.split('/')
  return {
    view: VIEWS.find((name) => name === view) ?? 'chat',
    of: decode(of),
    args: readArgs(new URLSearchParams(query).get('args')),
  }
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

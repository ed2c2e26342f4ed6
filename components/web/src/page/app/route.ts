/** Which view is shown, by the address's fragment: back and forward work, and a view can be linked to. */
import { createStore } from './store.ts'

export const VIEWS = ['chat', 'gallery', 'tools', 'jobs'] as const
export type View = (typeof VIEWS)[number]

export interface Route {
  view: View
  /** What of it: a tool's name, a job's id. */
  of: string
}

export const route = createStore<Route>(read())
addEventListener('hashchange', () => route.set(read))

function read(): Route {
  const [view = '', of = ''] = location.hash.replace(/^#\/?/, '').split('/')
  return { view: VIEWS.find((name) => name === view) ?? 'chat', of: decode(of) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** From an app to a component: the last line of an entry. */
import { spinPlatformWithoutFiles, type WaitUntil } from 'ftl-platform/spin'
import type { App } from './app.ts'

interface FetchEvent extends WaitUntil {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

declare function addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void

/** Answers every request of the component. Once, while the component is built. */
export function serve(app: App): void {
  addEventListener('fetch', (event) =>
    event.respondWith(app.fetch(event.request, spinPlatformWithoutFiles(event))),
  )
}

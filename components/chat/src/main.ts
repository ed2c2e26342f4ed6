/**
 * The component `chat`: a model that may use the gateway's tools; its progress is streamed line by line.
 *
 * It is not a tool component, so it registers its own fetch event, as the gateway does. Variables: see settings.ts.
 */
import { spinPlatformWithoutFiles, type WaitUntil } from 'ftl-platform/spin'
import { warmUpBindings } from 'ftl-platform/spin-warm-up'
import { answer } from './app.ts'

interface FetchEvent extends WaitUntil {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

declare function addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void

warmUpBindings()
addEventListener('fetch', (event) =>
  event.respondWith(answer(event.request, spinPlatformWithoutFiles(event))),
)

/**
 * The component mcp-gateway. It exports nothing, so the builder takes it as it is: what serves the component contract
 * would be a sixth of the bundle, and the gateway has no use for it.
 *
 * @module
 */
import { spinPlatformWithoutFiles, type WaitUntil } from 'ftl-platform/spin'
import { warmUpBindings } from 'ftl-platform/spin-warm-up'
import { createApp } from './app.ts'
import { warmUp } from './warm-up.ts'

interface FetchEvent extends WaitUntil {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

declare function addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void

// Built once, while the component is built: at run time every request finds it in the snapshot.
const app = createApp()
await warmUp(app)
warmUpBindings()

addEventListener('fetch', (event) =>
  event.respondWith(app.fetch(event.request, spinPlatformWithoutFiles(event))),
)

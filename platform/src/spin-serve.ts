/**
 * Serves the requests of a component on Spin. Only for code inside a component.
 *
 * @module
 */
import type { Platform } from './platform.ts'
import type { WaitUntil } from './spin.ts'

interface FetchEvent extends WaitUntil {
  readonly request: Request
  /** Our engine writes the first bytes of a body before it sends the head. @default false, in another engine */
  readonly writesBodyFirst?: boolean
  respondWith(response: Promise<Response>): void
}

declare function addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void

/** Requests of other components: their responses do not leave the process. */
const INTERNAL = /^http:\/\/[^/]+\.spin\.internal(:\d+)?\//

/**
 * Serves every request of the component with `answer`. Called once, while the component is built.
 *
 * Spin reads variables and key-value stores on the thread that runs the component, and gives that thread's other work to
 * another one meanwhile. If the component then responds before it has waited for anything, the other thread often sends
 * the head before the body is written. Spin does not set `TCP_NODELAY`, so the body waits for the client's delayed
 * acknowledgement: 40 ms. A timer of 0 ms before the response prevents this, and takes 0.1 ms. Our engine needs none.
 *
 * @param createPlatform `spinPlatform`, or `spinPlatformWithoutFiles` for a component that reads no files.
 */
export function serveRequests(
  answer: (request: Request, platform: Platform) => Promise<Response>,
  createPlatform: (event: WaitUntil, onHostRead: () => void) => Platform,
): void {
  addEventListener('fetch', (event) => {
    let hasRead = false
    const platform = createPlatform(event, () => (hasRead = true))
    const response = answer(event.request, platform)
    const isAtOnce = event.writesBodyFirst || INTERNAL.test(event.request.url)
    event.respondWith(
      isAtOnce ? response : response.then((ready) => (hasRead ? afterTimer(ready) : ready)),
    )
  })
}

function afterTimer(response: Response): Promise<Response> {
  return new Promise((resolve) => setTimeout(resolve, 0, response))
}

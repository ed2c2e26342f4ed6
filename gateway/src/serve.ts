/** From an app to a component: the last line of an entry. */
import { spinPlatformWithoutFiles } from 'ftl-platform/spin'
import { serveRequests } from 'ftl-platform/spin-serve'
import type { App } from './app.ts'

/** Answers every request of the component. Once, while the component is built. */
export function serve(app: App): void {
  serveRequests((request, platform) => app.fetch(request, platform), spinPlatformWithoutFiles)
}

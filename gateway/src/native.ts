/**
 * The gateway as a host runs it beside its components: the same source as in the component, without an engine in between.
 *
 * What a fresh instance for each request ensures there has to be true here by the source itself: no state at module scope
 * depends on a request. `module-state.test.ts` and a rule of the linter check it.
 *
 * @module
 */
import { type NativeHost, nativePlatform } from 'ftl-platform/native'
import type { App } from './app.ts'
import { FEATURES } from './features.ts'
import { createGateway } from './shipped.ts'
import { withoutPrograms } from './without-programs.ts'
import { withoutUploads } from './without-uploads.ts'

export type { NativeHost } from 'ftl-platform/native'

/** Answers a request. It never throws for what the client sends. */
export type NativeGateway = (request: Request, host: NativeHost) => Promise<Response>

/** By the name of a feature that an application need not have: what answers for it. */
const IN_PLACE = new Map([
  ['programs', withoutPrograms],
  ['uploads', withoutUploads],
])

/** @param without features that the component was built without. */
export function createNative(without: readonly string[] = []): NativeGateway {
  const app: App = createGateway({
    features: FEATURES.flatMap((feature) =>
      without.includes(feature.name) ? (IN_PLACE.get(feature.name) ?? []) : [feature],
    ),
  })
  return (request, host) => app.fetch(request, nativePlatform(host))
}

/** The scope of a request with all features, for tests of their parts. */
import type { Platform } from 'ftl-platform'
import { createScope, type Scope } from '../scope.ts'
import { createGateway } from '../shipped.ts'

const { settings, hooks } = createGateway()

export function shippedScope(platform: Platform, requestId = 'id'): Scope {
  return createScope(platform, requestId, { settings: settings(platform.variables), hooks })
}

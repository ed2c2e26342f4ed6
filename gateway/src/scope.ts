/**
 * What one request may use. A host call costs about half a millisecond, so nothing is asked before it is
 * needed and nothing is asked twice.
 *
 * @module
 */
import type { KeyValue, Platform } from 'ftl-platform'
import { createSettings, type Settings } from './settings.ts'

export interface Scope {
  readonly platform: Platform
  readonly settings: Settings
  /**
   * The store `default`, opened once.
   *
   * @throws {KeyValueError} when the component may not open it.
   */
  store(): Promise<KeyValue>
}

export function createScope(platform: Platform): Scope {
  let store: Promise<KeyValue> | undefined
  return {
    platform,
    settings: createSettings(platform.variables),
    store: () => (store ??= platform.openKeyValue('default')),
  }
}

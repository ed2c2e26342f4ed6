import { IS_ON_SPIN } from './application.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test applies to the embedded host only. */
    embeddedOnly?: string
  }
}

/**
 * Options of a test or group that holds on the embedded host only. It is skipped for an external application and on Spin.
 *
 * @param reason printed by `npm run on-spin`.
 */
export const embeddedOnly = (reason: string) => ({
  skip: IS_ON_SPIN,
  meta: { embeddedOnly: reason },
})

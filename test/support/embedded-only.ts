import { EXTERNAL_URL } from './application.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test applies to the embedded host only. */
    embeddedOnly?: string
  }
}

/**
 * Options of a test or group that holds on the embedded host only. It is skipped for an external application.
 *
 * @param reason printed by `npm run on-spin`.
 */
export const embeddedOnly = (reason: string) => ({
  skip: EXTERNAL_URL !== undefined,
  meta: { embeddedOnly: reason },
})

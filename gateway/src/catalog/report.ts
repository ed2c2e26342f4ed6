/**
 * What a client is told about components that are not as they should be.
 *
 * @module
 */
import type { Catalog, ComponentReport } from './catalog.ts'

/** Key in the `_meta` of a list: absent when every component is well. */
export const COMPONENTS_META_KEY = 'ftl/components'

/** The components with something to report; empty arrays are left out. */
export function troubles({ components }: Catalog): object[] {
  return components
    .filter(
      ({ status, problems, clashes }) =>
        status !== 'ok' || problems.length > 0 || clashes.length > 0,
    )
    .map(worded)
}

/** A report as clients see it. */
export function worded({ problems, clashes, ...rest }: ComponentReport): object {
  return {
    ...rest,
    ...(problems.length > 0 && { problems }),
    ...(clashes.length > 0 && { clashes }),
  }
}

/** Reports problems of components to clients. */
import type { Catalog, ComponentReport } from './catalog.ts'

/** Key in the `_meta` of a list: absent when no component has a problem. */
export const COMPONENTS_META_KEY = 'ftl/components'

/** The components with something to report; empty arrays are left out. */
export function reportsWithProblems({ components }: Catalog): object[] {
  return components
    .filter(
      ({ status, problems, clashes }) =>
        status !== 'ok' || problems.length > 0 || clashes.length > 0,
    )
    .map(publicReport)
}

/** The form of a report that is sent to clients. */
export function publicReport({ problems, clashes, ...rest }: ComponentReport): object {
  return {
    ...rest,
    ...(problems.length > 0 && { problems }),
    ...(clashes.length > 0 && { clashes }),
  }
}

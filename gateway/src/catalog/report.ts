/** Reports problems of components to clients. */
import type { Catalog, ComponentReport } from './catalog.ts'

/** Key in the `_meta` of a list. */
const COMPONENTS_META_KEY = 'ftl/components'

/** The `_meta` of a list: the reports of components with problems. @returns `undefined` without any */
export function reportsMeta({ components }: Catalog): object | undefined {
  const reports = components
    .filter(
      ({ status, problems, clashes }) =>
        status !== 'ok' || problems.length > 0 || clashes.length > 0,
    )
    // How an entry differs from its pin is for the operator: the text could come from the component that changed it.
    .map(({ differences: _, ...report }) => publicReport(report))
  return reports.length > 0 ? { [COMPONENTS_META_KEY]: reports } : undefined
}

/** The form of a report in JSON. */
export function publicReport({ problems, clashes, ...rest }: ComponentReport): object {
  return {
    ...rest,
    ...(problems.length > 0 && { problems }),
    ...(clashes.length > 0 && { clashes }),
  }
}

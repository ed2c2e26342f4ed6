/** What `spin up` prints when it serves, for people and for programs that wait for it. */
import type { Host } from 'ftl-host'

type Served = Pick<Host, 'url' | 'routes'>

export function plainRoutes({ url, routes }: Served): string {
  const lines = routes.flatMap(({ id, path, wildcard, description }) => [
    `  ${id}: ${url}${path}${wildcard ? ' (wildcard)' : ''}`,
    ...(description === undefined ? [] : [`    ${description}`]),
  ])
  return ['', `Serving ${url}`, 'Available Routes:', ...lines].join('\n')
}

/** The same among log lines of JSON. */
export function servingLine(served: Served): string {
  const table: unknown = JSON.parse(jsonRoutes(served))
  return JSON.stringify({ time: new Date().toISOString(), type: 'serving', ...(table as object) })
}

export function jsonRoutes({ url, routes }: Served): string {
  const entries = routes.map(({ id, path, wildcard, description }) => ({
    id,
    route: path,
    wildcard,
    ...(description !== undefined && { description }),
  }))
  return JSON.stringify({ base_url: url, routes: entries }, null, 2)
}

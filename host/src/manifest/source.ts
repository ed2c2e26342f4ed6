import type { ComponentSource } from './manifest.ts'
import type { Table } from './table.ts'

/** Reads `source` of a component or of a profile of it. */
export function readSource(table: Table): ComponentSource {
  if (!table.has('source')) throw table.error('source', 'is missing')
  const value = table.raw('source')
  if (typeof value === 'string') return value
  const source = table.asTable('source', value)
  if (source.has('url')) {
    const result = { url: source.string('url'), digest: source.string('digest') }
    source.done()
    return result
  }
  source.ignore('registry')
  const result = { package: source.string('package'), version: source.string('version') }
  source.done()
  return result
}

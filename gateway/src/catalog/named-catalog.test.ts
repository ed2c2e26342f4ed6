import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import { createScope } from '../scope.ts'
import { describe as describeOffers } from './describe.ts'
import { NamedCatalog } from './named-catalog.ts'
import type { StoredCatalog } from './stored-catalog.ts'

/** A catalog of components and the names of the tools each has published, in order. */
function catalogOf(published: Record<string, string[]>): NamedCatalog {
  const variables = { tool_components: Object.keys(published).join() }
  const stored: StoredCatalog = {}
  for (const [component, names] of Object.entries(published)) {
    const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }))
    stored[component] = {
      askedAt: 0,
      build: '',
      published: { ...describeOffers({ tools }), digest: '' },
    }
  }
  return new NamedCatalog(createScope(memoryPlatform({ variables }), 'id'), stored)
}

describe('the tool of a name', () => {
  it.each<Record<string, string[]>>([
    { a: ['one', 'two'], b: ['three'] },
    { a: ['same'], b: ['same'], c: ['same', 'same'] },
    { a: ['t'], b: ['t'], c: ['b__t'] },
    { a: ['b__t'], b: ['t', 't'] },
    { a: ['x__y', '__', 'a__'], b: ['x__y', '__'] },
  ])('is the one the list has under that name: %j', (published) => {
    const catalog = catalogOf(published)
    expect(catalog.tools.length).toBeGreaterThan(0)
    for (const tool of catalog.tools) expect(catalog.tool(tool.name)).toEqual(tool)
  })

  it('is none that the list does not have', () => {
    const catalog = catalogOf({ a: ['one'] })
    for (const name of ['two', 'a__one', '', 'constructor']) {
      expect(catalog.tool(name)).toBeUndefined()
    }
  })
})

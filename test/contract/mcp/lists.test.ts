// Pages and how long they may be kept:
// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ALL, ask, MODERN } from './client.ts'

const LISTS = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
] as const

const PAGE_SIZE = 3

describe('in pages of three', () => {
  const application = useApplication({ list_page_size: String(PAGE_SIZE) })

  async function page(method: string, cursor: string | undefined, revision: string = MODERN) {
    const { result } = await ask(
      application.url,
      method,
      { ...(cursor !== undefined && { cursor }) },
      { revision },
    )
    return result
  }

  async function pages(method: string, revision: string): Promise<Record<string, unknown>[]> {
    const all = [await page(method, undefined, revision)]
    for (let next = all[0]; typeof next?.['nextCursor'] === 'string'; next = all.at(-1)) {
      all.push(await page(method, next['nextCursor'], revision))
      if (all.length > 100) throw new Error('the list does not end')
    }
    return all
  }

  const identity = (item: unknown) => {
    const { uri, uriTemplate, name } = item as Record<string, string>
    return uri ?? uriTemplate ?? name
  }

  describe.each(ALL)('at %s', (revision) => {
    it.each(LISTS)('[pagination.pages] %s shows everything once', async (method, member) => {
      const all = await pages(method, revision)
      const items = all.flatMap((result) => result[member] as unknown[]).map(identity)
      expect(new Set(items).size).toBe(items.length)
      for (const result of all.slice(0, -1)) expect(result[member]).toHaveLength(PAGE_SIZE)
      expect(all.at(-1)).not.toHaveProperty('nextCursor')
      expect(all.length).toBe(Math.max(1, Math.ceil(items.length / PAGE_SIZE)))
      const last = {
        tools: 'chart',
        prompts: 'asks_while_completing',
        resources: 'odd://bytes',
        resourceTemplates: 'odd://city/{city}',
      }
      expect(items).toContain(last[member])
    })

    it('[pagination.stable-cursors] a cursor gives the same page again', async () => {
      const { nextCursor } = await page('tools/list', undefined, revision)
      const second = await page('tools/list', nextCursor as string, revision)
      await page('tools/list', undefined, revision)
      expect(await page('tools/list', nextCursor as string, revision)).toEqual(second)
    })

    it.each(LISTS)('[pagination.invalid-cursor] %s takes no other cursor', async (method) => {
      for (const cursor of ['none', '', 5, {}, 'WzAsMF0=']) {
        const { error, messages } = await ask(application.url, method, { cursor }, { revision })
        expect([error?.code, messages[0]?.id]).toEqual([-32602, 1])
      }
    })

    it('[pagination.invalid-cursor] a cursor of another list is none', async () => {
      const { nextCursor } = await page('tools/list', undefined, revision)
      const { error } = await ask(
        application.url,
        'prompts/list',
        { cursor: nextCursor },
        { revision },
      )
      expect(error?.code).toBe(-32602)
    })
  })

  it.each(LISTS)(
    '[caching.every-page] every page of %s says how long it may be kept',
    async (method) => {
      const all = await pages(method, MODERN)
      for (const result of all) expectHints(result)
      if (method === 'tools/list') expect(all.length).toBeGreaterThan(5)
    },
  )
})

describe('what may be kept', () => {
  const application = useApplication()

  it.each([
    ['server/discover', {}],
    ['tools/list', {}],
    ['prompts/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'test://static-text' }],
    ['resources/read', { uri: 'odd://bytes' }],
    ['resources/read', { uri: 'odd://badly-kept' }],
    ['resources/read', { uri: 'test://template/1/data' }],
  ])(
    '[caching.hints] [caching.ttl] [caching.scope] %s %j says for how long and for whom',
    async (method, params) => {
      expectHints((await ask(application.url, method, params)).result)
    },
  )
})

function expectHints({ ttlMs, cacheScope }: Record<string, unknown>): void {
  expect(Number.isInteger(ttlMs)).toBe(true)
  expect(ttlMs).toBeGreaterThanOrEqual(0)
  expect(['public', 'private']).toContain(cacheScope)
}

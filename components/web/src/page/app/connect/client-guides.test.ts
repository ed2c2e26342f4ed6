import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { guides, SIGNS_IN } from './client-guides.ts'

const local = guides({ origin: 'http://127.0.0.1:3000', authentication: 'none' })

/** The code blocks of docs/clients.md. */
async function documented(): Promise<string[]> {
  const text = await readFile(new URL('../../../../../../docs/clients.md', import.meta.url), 'utf8')
  return [...text.matchAll(/^```[^\n]*\n([\s\S]*?)\n```$/gm)].map(([, code = '']) => code)
}

describe('the panel that connects a client', () => {
  it.each(local.flatMap(({ name, snippets }) => snippets.map(({ code }) => [name, code])))(
    'says for %s what docs/clients.md says',
    async (_name, code) => {
      expect(await documented()).toContain(code)
    },
  )

  it('gives every client the address of this gateway, and no other', () => {
    for (const authentication of ['none', 'key', 'sign-in'] as const) {
      for (const { name, snippets } of guides({
        origin: 'https://gate.example:8443',
        authentication,
      })) {
        const code = snippets.map((snippet) => snippet.code).join('\n')
        expect(code, name).toContain('https://gate.example:8443')
        expect(code, name).not.toContain('127.0.0.1')
      }
    }
  })

  it('sends a key where there is one, and only then', () => {
    const origin = 'https://gate.example'
    for (const { name, snippets } of guides({ origin, authentication: 'key' })) {
      for (const { code } of snippets) {
        expect(code, name).toMatch(/Bearer (KEY|\$\{process|\{os)|--token @key.txt/)
      }
    }
    for (const authentication of ['none', 'sign-in'] as const) {
      const text = JSON.stringify(guides({ origin, authentication }))
      expect(text).not.toMatch(/Bearer|KEY|--token|FTL_TOKEN/)
    }
  })

  it('has JSON that can be pasted', () => {
    for (const authentication of ['none', 'key'] as const) {
      const blocks = guides({ origin: 'https://gate.example', authentication })
        .flatMap(({ snippets }) => snippets)
        .filter(({ language }) => language === 'json')
      expect(blocks.length).toBeGreaterThan(3)
      for (const { code } of blocks) {
        const [servers] = Object.values(JSON.parse(code) as Record<string, { ftl?: object }>)
        expect(servers?.ftl).toBeTypeOf('object')
      }
    }
  })

  it('knows only clients that exist as those that sign in', () => {
    const ids = new Set(local.map(({ id }) => id))
    expect([...SIGNS_IN].filter((id) => !ids.has(id))).toEqual([])
  })
})

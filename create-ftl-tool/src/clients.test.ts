import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clientFiles, clientLines, CLIENTS, clientsOf } from './clients.ts'

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')

/** Blocks of JSON of a section of docs/clients.md. */
function documented(title: string): unknown[] {
  const [, section = ''] = page.split(`## ${title}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/```json\n([^]*?)```/g)].map(
    ([, text = '']) => JSON.parse(text) as unknown,
  )
}

it.each(CLIENTS)('configures $title as docs/clients.md says', ({ title, file, config }) => {
  expect(documented(title)).toContainEqual(config('ftl'))
  if (file !== undefined) expect(page).toContain(`\`${file}\``)
})

it('writes a file for clients that read one in the folder, and prints lines for the others', () => {
  const chosen = clientsOf('claude-desktop,cursor')
  expect([...clientFiles('greet', chosen).keys()]).toEqual(['.cursor/mcp.json'])
  const lines = clientLines('greet', chosen).join('\n')
  expect(lines).toContain('"mcp-remote"')
  expect(lines).not.toContain('"url"')
})

it('refuses a client that it does not know, and names those that it knows', () => {
  expect(() => clientsOf('cursor,emacs')).toThrow(/"emacs".*claude-code.*none/)
})

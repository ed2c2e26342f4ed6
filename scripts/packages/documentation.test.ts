import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { addDocumentation, pagesIn, withinPackage } from './documentation.ts'
import { REPOSITORY } from './manifest.ts'

it.each([
  ['[Limits](../LIMITS.md#stores)', 'Limits (`LIMITS.md` in the repository ftl-mcp-gateway)'],
  ['[`here`](../test/authors)', '`here` (`test/authors` in the repository ftl-mcp-gateway)'],
])('a link out of the documentation names the file instead: %s', (link, text) => {
  expect(withinPackage(`See ${link}, and go on.`)).toBe(`See ${text}, and go on.`)
})

it.each(['[Jobs](jobs.md#end)', '[Spin](https://spinframework.dev)', '[above](#a-part)'])(
  'a link to a page stays: %s',
  (link) => {
    expect(withinPackage(link)).toBe(link)
  },
)

it('a page in a folder links to the pages above it, and names what is outside of them', () => {
  const links = '[Auth](../authentication.md), [Limits](../../LIMITS.md#stores)'
  expect(withinPackage(links, 2)).toBe(
    '[Auth](../authentication.md), Limits (`LIMITS.md` in the repository ftl-mcp-gateway)',
  )
})

it('each link of a packed page leads to a packed page, or to the web', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-docs-'))
  try {
    await addDocumentation(join(REPOSITORY, 'docs'), folder)
    const pages = await pagesIn(folder)
    expect(pages).toContain('writing-tools.md')
    expect(pages).toContain('identity-providers/dex.md')
    for (const page of pages) {
      const text = await readFile(join(folder, page), 'utf8')
      const links = withoutBlocks(text).matchAll(/\]\(([^()\s#]+)[^()]*\)/g)
      for (const [, target = ''] of links)
        if (!/^[a-z]+:/.test(target))
          expect(pages, `${page} has a link to ${target}`).toContain(
            posix.join(posix.dirname(page), target),
          )
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** Without examples in fences, whose links are those of another file. */
const withoutBlocks = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '')

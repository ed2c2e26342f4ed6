import type { MarkdownRenderer } from './vitepress.ts'

/**
 * Removes links from the pages to files of the repository that are not pages (`../ARCHITECTURE.md` in a page of `docs`).
 *
 * Readers of the repository can follow them. The site does not contain these files, so it shows the text without a link.
 * test/docs/links.test.ts checks that the files exist.
 */
export function repositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const { length: depth } = (env.relativePath ?? '').split('/')
    const prefix = '../'.repeat(depth)
    for (const token of tokens) {
      if (!token.children) continue
      let outside = false
      token.children = token.children.filter((child) => {
        if (child.type === 'link_open') outside = child.attrGet('href')?.startsWith(prefix) ?? false
        return !outside || !/^link_(open|close)$/.test(child.type)
      })
    }
  })
}

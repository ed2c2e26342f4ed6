import type { MarkdownRenderer } from 'vitepress'

/**
 * Links of the pages to files of the repository that are no pages (`../ARCHITECTURE.md`, `../test/fidelity`).
 *
 * Whoever reads the pages in the repository can follow them. The site has no such pages and its readers need not have
 * the repository, so there the text stands without a link. That the files exist is for test/docs/links.test.ts.
 */
export function repositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens }) => {
    for (const token of tokens) {
      if (!token.children) continue
      let outside = false
      token.children = token.children.filter((child) => {
        if (child.type === 'link_open') outside = child.attrGet('href')?.startsWith('../') ?? false
        return !outside || !/^link_(open|close)$/.test(child.type)
      })
    }
  })
}

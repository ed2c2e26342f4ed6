import type { MarkdownRenderer } from './vitepress.ts'

/**
 * Shows `{{ name }}` in code as it is written.
 *
 * Pages are Vue templates: in the code of a sentence, VitePress replaces it by the value of an expression, which is empty.
 */
export function literalCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('literal-code', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const child of children ?? []) {
        if (child.type === 'code_inline') child.attrSet('v-pre', '')
      }
    }
  })
}

/** Which rules the titles of tests name: `it('[http.get-405] …')`. */
import ts from 'typescript'

export interface Citation {
  /** Id of the rule. */
  id: string
  /** Where the title stands, as `path:line`. */
  at: string
}

const RULE_ID = /\[([a-z][a-z0-9-]*\.[a-z0-9-]+)\]/g
const TESTS = new Set(['it', 'test', 'describe'])
// A test that never runs holds nothing.
const NOT_RUN = new Set(['skip', 'todo', 'fails'])

/** The rules that the titles in a test file name. Only the source is read: nothing runs. */
export function citationsIn(file: string, text: string): Citation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: Citation[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const title = node.arguments[0]
      const words = wordsOf(node.expression)
      if (title && TESTS.has(words[0] ?? '')) {
        if (words.some((word) => NOT_RUN.has(word))) return
        const line = source.getLineAndCharacterOfPosition(title.getStart(source)).line + 1
        for (const [, id = ''] of literalText(title).matchAll(RULE_ID)) {
          found.push({ id, at: `${file}:${line}` })
        }
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** `describe.skip.each([…])` → describe, skip, each. */
function wordsOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) {
    return [...wordsOf(callee.expression), callee.name.text]
  }
  if (ts.isCallExpression(callee)) return wordsOf(callee.expression)
  return []
}

/** What is known of a title without running it: its literal parts. */
function literalText(title: ts.Node): string {
  if (ts.isStringLiteralLike(title)) return title.text
  if (ts.isTemplateExpression(title)) {
    return [title.head, ...title.templateSpans.map(({ literal }) => literal)]
      .map(({ text }) => text)
      .join(' ')
  }
  return ''
}

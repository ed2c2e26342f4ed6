/** Where modules wait at their top level: the engine says that one waits without an end, and not where. */
import { readFile } from 'node:fs/promises'
import type { Node } from 'oxc-parser'
import { childrenOf, FUNCTIONS, isInstanceField } from './syntax.ts'

export interface Wait {
  file: string
  line: number
  column: number
}

/** Whether the engine's text is about such a module. */
export const isEndlessWait = (text: string): boolean =>
  text.includes('waits for something only a request has')

/** @param files absolute paths of the author's own modules. @returns each `await` outside of functions. */
export async function topLevelAwaits(files: readonly string[]): Promise<Wait[]> {
  const found: Wait[] = []
  for (const file of files.filter((path) => /\.[mc]?[jt]sx?$/.test(path))) {
    const text = await readFile(file, 'utf8')
    if (!/\bawait\b/.test(text)) continue
    const { parseSync } = await import('oxc-parser')
    for (const start of awaitsIn(parseSync(file, text).program)) {
      const before = text.slice(0, start).split('\n')
      found.push({ file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 })
    }
  }
  return found
}

function awaitsIn(node: Node): number[] {
  if (FUNCTIONS.includes(node.type) || isInstanceField(node)) return []
  const isWait = node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)
  const inside = childrenOf(node).flatMap(awaitsIn)
  return isWait ? [node.start, ...inside] : inside
}

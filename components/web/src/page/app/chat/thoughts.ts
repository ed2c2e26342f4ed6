/** Models that think aloud write `<think>` blocks into their answers. */

export interface Part {
  kind: 'answer' | 'thought'
  text: string
  /** A thought that goes on. */
  isOpen?: boolean
}

const START = /(?:^|\n\n)\s*<think(?:ing)?>/g
const END = /<\/think(?:ing)?>/g

/** Thoughts come at the beginning of an answer or of a paragraph; in code they are only text. */
export function partsOf(content: string): Part[] {
  const parts: Part[] = []
  let at = 0
  const add = (text: string) => {
    if (text.trim() !== '') parts.push({ kind: 'answer', text })
  }
  for (;;) {
    START.lastIndex = at
    let start = START.exec(content)
    while (start && isInCode(content.slice(at, start.index))) start = START.exec(content)
    if (!start) break
    add(content.slice(at, start.index))
    const from = start.index + start[0].length
    END.lastIndex = from
    const end = END.exec(content)
    const text = content.slice(from, end?.index).trim()
    if (text !== '' || !end) parts.push({ kind: 'thought', text, isOpen: !end })
    at = end ? END.lastIndex : content.length
    if (!end) break
  }
  add(content.slice(at))
  return parts
}

/** What the model is sent of an earlier answer: its thoughts were for itself. */
export function withoutThoughts(content: string): string {
  if (!content.includes('<think')) return content
  return partsOf(content)
    .filter(({ kind }) => kind === 'answer')
    .map(({ text }) => text.trim())
    .join('\n\n')
}

function isInCode(before: string): boolean {
  return (before.match(/^ {0,3}(```|~~~)/gm) ?? []).length % 2 === 1
}

/**
 * The little Markdown that models write, as elements: paragraphs, code, bold, lists, headings, links. No HTML: what looks like
 * it is shown as it was written.
 */
import type { ComponentChildren } from 'preact'

const FENCE = /^```[^\n]*\n([\s\S]*?)(?:\n```[ \t]*$|$(?![\s\S]))/gm
/** Code, bold, a link, an address. */
const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>"')\]]+)/g

export function Markdown({ text }: { text: string }) {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const match of text.matchAll(FENCE)) {
    parts.push(...blocks(text.slice(at, match.index)))
    parts.push(
      <pre tabIndex={0}>
        <code>{match[1]}</code>
      </pre>,
    )
    at = match.index + match[0].length
  }
  parts.push(...blocks(text.slice(at)))
  return <div class="markdown">{parts}</div>
}

function blocks(text: string): ComponentChildren[] {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const lines = block.trim().split('\n')
      const items = lines.map((line) => /^\s*(?:[-*]|\d+[.)])\s+(.*)$/.exec(line)?.[1])
      if (items.every((item) => item !== undefined)) {
        const List = /^\s*\d/.test(lines[0] ?? '') ? 'ol' : 'ul'
        return (
          <List>
            {items.map((item) => (
              <li>{inline(item)}</li>
            ))}
          </List>
        )
      }
      // The page's own headings are its outline; an answer's are only bold.
      const heading = lines.length === 1 ? /^#{1,6}\s+(.*)$/.exec(block.trim())?.[1] : undefined
      if (heading !== undefined) {
        return (
          <p>
            <strong>{inline(heading)}</strong>
          </p>
        )
      }
      return <p>{inline(block.trim())}</p>
    })
}

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(at, match.index))
    const [whole, code, bold, words, address, bare] = match
    if (code !== undefined) parts.push(<code>{code}</code>)
    else if (bold !== undefined) parts.push(<strong>{bold}</strong>)
    else parts.push(link(address ?? bare ?? '', words ?? bare ?? ''))
    at = match.index + whole.length
  }
  parts.push(text.slice(at))
  return parts
}

function link(address: string, words: string): ComponentChildren {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  )
}

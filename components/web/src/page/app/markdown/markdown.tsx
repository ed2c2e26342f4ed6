/** The Markdown that models write: CommonMark with tables, task lists and strikethrough. */
import { useRef } from 'preact/hooks'
import type { Token } from 'marked'
import { memo } from '../memo.ts'
import { blockNode } from './nodes.tsx'
import { parse, type Parsed } from './parse.ts'

export function Markdown({ text }: { text: string }) {
  const parsed = useRef<Parsed | undefined>(undefined)
  parsed.current = parse(text, parsed.current)
  return (
    <div class="markdown">
      {parsed.current.blocks.map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>
  )
}

const Block = memo(({ token }: { token: Token }) => <>{blockNode(token)}</>)

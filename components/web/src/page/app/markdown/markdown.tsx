/** The Markdown that models write: CommonMark with tables, task lists and strikethrough. */
import { useRef } from 'preact/hooks'
import type { Token } from 'marked'
import { memo } from '../memo.ts'
import { blockNode } from './nodes.tsx'
import { parse, type Parsed } from './parse.ts'

export interface MarkdownProps {
  text: string
  /** More text comes; at its end the whole text is read once more. @default false */
  isGrowing?: boolean
}

export function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const parsed = useRef<Parsed | undefined>(undefined)
  const was = useRef(isGrowing)
  const before = parsed.current
  if (text !== before?.text || isGrowing !== was.current) {
    parsed.current = parse(text, isGrowing ? before : undefined)
  }
  was.current = isGrowing
  return (
    <div class="markdown">
      {parsed.current?.blocks.map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>
  )
}

const Block = memo(({ token }: { token: Token }) => <>{blockNode(token)}</>)

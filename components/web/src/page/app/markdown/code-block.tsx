/** Code with its language, a button that copies it and, where the language is known, colours. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import type { Piece } from './paint.ts'

type Paint = typeof import('./paint.ts').paint

/** Loaded with the first code block. */
let paint: Paint | undefined
/** Characters. Longer code stays without colours: it is painted again with every piece that arrives. */
const MOST_PAINTED = 12_000
const COPIED_MS = 2_000

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (paint !== undefined || language === '') return
    void import('./paint.ts')
      .then((loaded) => {
        paint = loaded.paint
        redraw(1)
      })
      // The library could not be loaded: the code stays uncoloured.
      .catch(() => undefined)
  }, [language])
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{language || 'text'}</span>
        <Copy text={code} />
      </div>
      <pre tabIndex={0}>
        <code>{nodesOf((code.length <= MOST_PAINTED && paint?.(code, language)) || code)}</code>
      </pre>
    </div>
  )
}

function nodesOf(pieces: Piece | readonly Piece[]): ComponentChildren {
  if (typeof pieces === 'string') return pieces
  if ('type' in pieces) return <span class={`t-${pieces.type}`}>{nodesOf(pieces.content)}</span>
  return pieces.map(nodesOf)
}

function Copy({ text }: { text: string }) {
  const [words, setWords] = useState('Copy')
  useEffect(() => {
    if (words === 'Copy') return
    const timer = setTimeout(() => setWords('Copy'), COPIED_MS)
    return () => clearTimeout(timer)
  }, [words])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setWords('Copied')
    } catch {
      // Browsers have a clipboard only for pages from TLS or this machine.
      setWords('Cannot copy here')
    }
  }
  return (
    <button type="button" class="bare small" onClick={() => void copy()}>
      <Icon name="copy" /> <span aria-live="polite">{words}</span>
    </button>
  )
}

/** Text to copy, with a button. */
import { useState } from 'preact/hooks'
import { Icon } from '../../icons.tsx'

interface CopiedProps {
  text: string
  label: string
}

export function Copied({ text, label }: CopiedProps) {
  const [words, setWords] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setWords('Copied.')
    } catch {
      // Browsers have a clipboard only for pages from TLS or this machine.
      setWords('Select the text and copy it: this page has no clipboard.')
    }
  }
  return (
    <>
      <pre tabIndex={0} aria-label={label} role="group">
        {text}
      </pre>
      <div class="line">
        <button type="button" class="small" onClick={() => void copy()}>
          <Icon name="copy" /> Copy
        </button>
        <span class="about" role="status">
          {words}
        </span>
      </div>
    </>
  )
}

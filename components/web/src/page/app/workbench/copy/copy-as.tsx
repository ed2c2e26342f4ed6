/** Copies the call in the form as a command or a program, without its passwords. */
import { useState } from 'preact/hooks'
import { withoutSecrets } from '../../form/schema/secrets.ts'
import { isObject } from '../../form/schema/values.ts'
import { Icon } from '../../icons.tsx'
import type { Tool } from '../../net/tools.ts'
import { SNIPPETS } from './snippets.ts'
import './copy-as.css'

export function CopyAs({ tool, args }: { tool: Tool; args: Record<string, unknown> }) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const [said, setSaid] = useState('')
  const safe = withoutSecrets(tool.inputSchema, args, '<secret>')
  const snippet = SNIPPETS[chosen] ?? SNIPPETS[0]
  const text =
    isOpen && snippet
      ? snippet.of({ origin: location.origin, tool: tool.name, args: isObject(safe) ? safe : {} })
      : ''
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied.')
    } catch {
      setSaid('The browser does not allow it: select the text and copy it.')
    }
  }
  return (
    <div class="copy-as">
      <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="copy" /> Copy as
      </button>
      {isOpen && (
        <section class="copy-panel" aria-label="The call as a snippet">
          <div class="line">
            <select
              aria-label="Language"
              value={String(chosen)}
              onChange={(event) => setChosen(Number(event.currentTarget.value))}
            >
              {SNIPPETS.map(({ name }, index) => (
                <option key={name} value={String(index)}>
                  {name}
                </option>
              ))}
            </select>
            <button type="button" class="small" onClick={() => void copy()}>
              Copy
            </button>
            <span class="faint small-text" role="status">
              {said}
            </span>
          </div>
          <pre tabIndex={0}>{text}</pre>
        </section>
      )}
    </div>
  )
}

/** Recent and saved arguments, and saving those in the form. */
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { forgetArguments, keepArguments, keptArguments } from './kept-arguments.ts'
import type { Json } from './schema/values.ts'

interface KeptMenuProps {
  tool: string
  schema: unknown
  /** Changes after each call. */
  version: number
  current: () => Json
  onUse: (args: Json) => void
}

const LONGEST = 80

export function KeptMenu({ tool, schema, current, onUse }: KeptMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [, redraw] = useState(0)
  const kept = keptArguments(tool)
  const store = () => {
    if (name.trim() === '') return
    keepArguments(tool, schema, current(), name.trim())
    setName('')
    redraw((count) => count + 1)
  }
  return (
    <div class="kept">
      <button
        type="button"
        class="small bare"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="jobs" /> Recent and saved
      </button>
      {isOpen && (
        <section class="kept-list" aria-label="Recent and saved arguments">
          {kept.length === 0 && <p class="about">Nothing yet. Arguments you run appear here.</p>}
          <ul>
            {kept.map(({ name: title, args }, index) => (
              <li key={title + JSON.stringify(args)}>
                <button type="button" class="linkish" onClick={() => onUse(args)}>
                  {title !== '' && <b>{title} </b>}
                  <code>{shortened(JSON.stringify(args))}</code>
                </button>
                <button
                  type="button"
                  class="bare"
                  aria-label={`Forget ${title || `arguments ${index + 1}`}`}
                  onClick={() => {
                    forgetArguments(tool, index)
                    redraw((count) => count + 1)
                  }}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
          <div class="beside">
            <input
              aria-label="Name to save these arguments under"
              placeholder="Name"
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
                event.preventDefault()
                store()
              }}
            />
            <button type="button" class="small" onClick={store}>
              Save
            </button>
          </div>
          <p class="about">Kept in this browser only, without passwords.</p>
        </section>
      )}
    </div>
  )
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

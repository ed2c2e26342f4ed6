/** Examples, and the programs that the user has kept. */
import { useState } from 'preact/hooks'
import { Icon } from '../../icons.tsx'
import { useStore } from '../../store.ts'
import { declared } from '../declared/program-tools.ts'
import { examplesOf } from '../declared/examples.ts'
import { drafts, keepDraft, removeDraft } from '../run/drafts.ts'
import { Menu } from './menu.tsx'

interface ProgramsMenuProps {
  code: () => string
  onOpen: (code: string) => void
}

export function ProgramsMenu({ code, onOpen }: ProgramsMenuProps) {
  return (
    <Menu title="Programs" icon="book">
      {(close) => (
        <Panel
          code={code}
          onOpen={(text) => {
            close()
            onOpen(text)
          }}
        />
      )}
    </Menu>
  )
}

function Panel({ code, onOpen }: ProgramsMenuProps) {
  const kept = useStore(drafts)
  const known = useStore(declared)
  const [name, setName] = useState('')
  return (
    <>
      <h2>Examples</h2>
      <ul>
        {examplesOf(known).map((example) => (
          <li key={example.title}>
            <button type="button" class="linkish" onClick={() => onOpen(example.code)}>
              {example.title}
            </button>
          </li>
        ))}
      </ul>
      <h2>Drafts in this browser</h2>
      {kept.length === 0 && <p class="about">None yet.</p>}
      <ul>
        {kept.map((draft) => (
          <li key={draft.name} class="line">
            <button type="button" class="linkish grow" onClick={() => onOpen(draft.code)}>
              {draft.name}
            </button>
            <button
              type="button"
              class="bare small"
              aria-label={`Delete ${draft.name}`}
              onClick={() => removeDraft(draft.name)}
            >
              <Icon name="bin" />
            </button>
          </li>
        ))}
      </ul>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') keepDraft(name.trim().slice(0, 80), code())
          setName('')
        }}
      >
        <input
          class="grow"
          aria-label="Name of the draft"
          placeholder="Name"
          value={name}
          maxLength={80}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="small">
          Keep
        </button>
      </form>
    </>
  )
}

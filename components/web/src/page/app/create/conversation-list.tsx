/** The conversations of this browser: finding, opening, renaming, exporting and deleting them. */
import { useRef, useState } from 'preact/hooks'
import { archive, type Head, renameConversation } from '../chat/archive/archive.ts'
import {
  conversation,
  type Deleted,
  deleteConversation,
  newConversation,
  switchConversation,
} from '../chat/tab-conversations.ts'
import { Icon } from '../icons.tsx'
import { createStore, useStore } from '../store.ts'
import { ConversationRow } from './conversation-row.tsx'
import { foundIn } from './find.ts'
import './conversation-list.css'

/** Rows that are drawn; more on request. */
const AT_ONCE = 100
const ELSEWHERE = 'This conversation is open in another tab.'

/** The last one that was deleted, to take it back. */
const deleted = createStore<Deleted | undefined>(undefined)

export function ConversationList({ onChosen }: { onChosen: () => void }) {
  const { list } = useStore(archive)
  const { conversationId: own } = useStore(conversation)
  const [wanted, setWanted] = useState('')
  const [most, setMost] = useState(AT_ONCE)
  const [problem, setProblem] = useState('')
  const section = useRef<HTMLElement>(null)
  const found = foundIn(list, wanted)
  const toSearch = () => section.current?.querySelector<HTMLElement>('input')?.focus()

  const open = async (id: string) => {
    const isOpened = await switchConversation(id)
    setProblem(isOpened ? '' : ELSEWHERE)
    if (isOpened) onChosen()
  }
  const remove = async ({ id }: Head) => {
    const gone = await deleteConversation(id)
    setProblem(gone ? '' : `${ELSEWHERE} Close it there, then delete it.`)
    if (!gone) return
    deleted.set(() => gone)
    toSearch()
  }
  const importFile = async (file: File) => {
    const { readExport } = await import('./import.ts')
    setProblem(await readExport(file))
  }
  return (
    <section class="conversations" aria-label="Conversations" ref={section}>
      <div class="line">
        <label class="search grow">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search conversations"
            placeholder="Search"
            value={wanted}
            onInput={(event) => {
              setWanted(event.currentTarget.value)
              setMost(AT_ONCE)
            }}
          />
        </label>
        <button
          type="button"
          class="bare"
          aria-label="New conversation"
          title="New conversation"
          onClick={() => void newConversation().then(onChosen)}
        >
          <Icon name="plus" />
        </button>
      </div>
      <Undo onProblem={setProblem} />
      {problem !== '' && (
        <p class="problem small-text" role="alert">
          {problem}
        </p>
      )}
      <ul class="conversation-rows">
        {found.slice(0, most).map((head) => (
          <ConversationRow
            key={head.id}
            head={head}
            isOwn={head.id === own}
            onOpen={() => void open(head.id)}
            onRename={(name) => void renameConversation(head.id, name)}
            onDelete={() => void remove(head)}
          />
        ))}
      </ul>
      {found.length > most && (
        <button type="button" class="small" onClick={() => setMost(most + AT_ONCE)}>
          Show more ({found.length - most})
        </button>
      )}
      {found.length === 0 && (
        <p class="faint small-text">
          {list.length === 0
            ? 'Your conversations appear here. They are stored in this browser only.'
            : 'No conversation has these words.'}
        </p>
      )}
      <p class="unseen" role="status">
        {wanted !== '' && `${found.length} found`}
      </p>
      <ImportButton onFile={(file) => void importFile(file)} />
    </section>
  )
}

function Undo({ onProblem }: { onProblem: (problem: string) => void }) {
  const gone = useStore(deleted)
  const undo = async () => {
    deleted.set(() => undefined)
    onProblem('')
    await gone?.restore()
  }
  return (
    <div role="status">
      {gone && (
        <p class="notice line undo-row">
          <span class="grow clamped">Deleted “{gone.title}”.</span>
          <button type="button" class="small" onClick={() => void undo()}>
            Undo
          </button>
        </p>
      )}
    </div>
  )
}

function ImportButton({ onFile }: { onFile: (file: File) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div class="import">
      <button type="button" class="bare small" onClick={() => picker.current?.click()}>
        <Icon name="open" /> Import a conversation
      </button>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Conversation to import"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) onFile(file)
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}

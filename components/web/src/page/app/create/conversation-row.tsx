/** One conversation of the list, with what can be done to it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Head } from '../chat/archive/archive.ts'
import { Icon } from '../icons.tsx'
import { nameOf } from './find.ts'

interface ConversationRowProps {
  head: Head
  /** It is the one that is shown. */
  isOwn: boolean
  onOpen: () => void
  onRename: (name: string) => void
  onDelete: () => void
}

const LONGEST_NAME = 120

export function ConversationRow({ head, isOwn, onOpen, onRename, onDelete }: ConversationRowProps) {
  const [isMore, setMore] = useState(false)
  const [isNaming, setNaming] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const name = nameOf(head)
  const toMore = () =>
    setTimeout(() => row.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus())
  const save = async (as: 'json' | 'markdown') => {
    setMore(false)
    toMore()
    const { exportConversation } = await import('./export.ts')
    await exportConversation(head, as)
  }
  return (
    <li ref={row} data-own={isOwn} data-open={isMore}>
      {isNaming ? (
        <NameField
          name={name}
          onDone={(typed) => {
            setNaming(false)
            setMore(false)
            if (typed !== undefined) onRename(typed)
            toMore()
          }}
        />
      ) : (
        <div class="row-line">
          <button
            type="button"
            class="row-name"
            aria-current={isOwn ? 'true' : undefined}
            onClick={onOpen}
          >
            <span class="row-title">{name}</span>
            <time class="faint" dateTime={new Date(head.at).toISOString()}>
              {whenShort(head.at)}
            </time>
          </button>
          <button
            type="button"
            class="bare row-more"
            aria-label={`More for “${name}”`}
            aria-expanded={isMore}
            onClick={() => setMore(!isMore)}
          >
            <Icon name="more" />
          </button>
        </div>
      )}
      {isMore && !isNaming && (
        <div class="row-actions">
          <button type="button" class="small" onClick={() => setNaming(true)}>
            Rename
          </button>
          <button type="button" class="small" onClick={() => void save('markdown')}>
            Export as Markdown
          </button>
          <button type="button" class="small" onClick={() => void save('json')}>
            Export as JSON
          </button>
          <button type="button" class="small danger" onClick={onDelete}>
            <Icon name="bin" /> Delete
          </button>
        </div>
      )}
    </li>
  )
}

interface NameFieldProps {
  name: string
  /** With nothing when the user has thought better of it. */
  onDone: (name?: string) => void
}

function NameField({ name, onDone }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  const done = (typed?: string) => {
    if (isDone.current) return
    isDone.current = true
    onDone(typed)
  }
  return (
    <input
      ref={field}
      class="name-field"
      aria-label="Name of the conversation"
      defaultValue={name}
      maxLength={LONGEST_NAME}
      onKeyDown={(event) => {
        if (event.isComposing) return
        if (event.key === 'Enter') done(event.currentTarget.value)
        else if (event.key === 'Escape') {
          // Not also the drawer.
          event.preventDefault()
          event.stopPropagation()
          done()
        }
      }}
      onBlur={(event) => done(event.currentTarget.value)}
    />
  )
}

const DAY_MS = 86_400_000

/** The time of today, otherwise the date. */
function whenShort(at: number): string {
  const date = new Date(at)
  const isToday = Date.now() - at < DAY_MS && date.getDate() === new Date().getDate()
  return isToday
    ? date.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })
    : date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** Where a message is written: Enter sends, Shift+Enter begins a new line, a slash calls a tool. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { catalog, type Tool } from '../net/tools.ts'
import { useStore } from '../store.ts'
import { useKept } from '../kept-state.ts'
import { addFiles, AttachedFiles, FilePicker, useAttachments } from './attached-files.tsx'
import type { Attachment } from './attachments.ts'
import { noteDraft, takeDraft } from './draft.ts'
import { suggestions } from './slash.ts'

export interface ComposerProps {
  isBusy: boolean
  placeholder: string
  /** Resolves with whether it was sent. */
  onSend: (text: string, attachments: readonly Attachment[]) => Promise<boolean>
  onStop: () => void
}

const MOST_SUGGESTIONS = 8

export function Composer({ isBusy, placeholder, onSend, onStop }: ComposerProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useKept('chat.draft', takeDraft)
  const [selected, setSelected] = useState(0)
  const { attachments, sending, problem, remove, set } = useAttachments()
  const offered = suggestions(text, useStore(catalog).tools).slice(0, MOST_SUGGESTIONS)

  // As high as the text, up to the limit of the style sheet.
  useEffect(() => {
    noteDraft(text)
    const area = field.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }, [text])

  const send = () => {
    if (isBusy || sending.length > 0 || (text.trim() === '' && attachments.length === 0)) return
    void onSend(text.trim(), attachments).then((isSent) => {
      if (isSent) return
      setText((now) => now || text)
      set((now) => (now.length > 0 ? now : attachments))
    })
    setText(() => '')
    set(() => [])
  }
  const complete = ({ name }: Tool) => {
    setText(() => `/${name} `)
    setSelected(0)
    field.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    // Enter that ends the choice of a character is not the end of the message.
    if (event.isComposing) return
    const tool = offered[selected]
    if (tool && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setSelected((selected + step + offered.length) % offered.length)
    } else if (tool && (event.key === 'Tab' || event.key === 'Enter') && text !== `/${tool.name}`) {
      event.preventDefault()
      complete(tool)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape' && offered.length > 0) setText(() => '')
  }

  return (
    <div class="composer">
      {offered.length > 0 && (
        <Suggestions id={id} tools={offered} selected={selected} onChoose={complete} />
      )}
      {attachments.length + sending.length > 0 && (
        <AttachedFiles {...{ attachments, sending }} onRemove={remove} />
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="write">
        <FilePicker onFiles={addFiles} />
        <textarea
          ref={field}
          rows={1}
          value={text}
          placeholder={placeholder}
          aria-label="Message"
          aria-autocomplete="list"
          aria-controls={offered.length > 0 ? `${id}-tools` : undefined}
          aria-activedescendant={offered.length > 0 ? `${id}-${selected}` : undefined}
          onInput={(event) => {
            const { value } = event.currentTarget
            setText(() => value)
            setSelected(0)
          }}
          onKeyDown={onKey}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])]
            if (files.length === 0) return
            event.preventDefault()
            void addFiles(files)
          }}
        />
        <button
          type="button"
          class="primary round"
          aria-label={isBusy ? 'Stop' : 'Send'}
          onClick={isBusy ? onStop : send}
        >
          <Icon name={isBusy ? 'stop' : 'send'} />
        </button>
      </div>
    </div>
  )
}

interface SuggestionsProps {
  /** Prefix of the ids that the text field refers to. */
  id: string
  tools: readonly Tool[]
  /** Index of the tool that Enter chooses. */
  selected: number
  onChoose: (tool: Tool) => void
}

function Suggestions({ id, tools, selected, onChoose }: SuggestionsProps) {
  return (
    <ul class="suggestions" role="listbox" id={`${id}-tools`} aria-label="Tools">
      {tools.map((tool, index) => (
        <li
          key={tool.name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === selected}
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(tool)
          }}
        >
          <b>/{tool.name}</b> <span class="faint">{tool.description}</span>
        </li>
      ))}
    </ul>
  )
}

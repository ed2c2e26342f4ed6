/** Where a message is written: Enter sends, Shift+Enter begins a new line, a slash calls a tool. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { catalog, type Tool } from '../net/tools.ts'
import { useStore } from '../store.ts'
import { type Attachment, attach } from './attachments.ts'
import { suggestions } from './slash.ts'

export interface ComposerProps {
  isBusy: boolean
  placeholder: string
  onSend: (text: string, attachments: readonly Attachment[]) => void
  onStop: () => void
}

const MOST_SUGGESTIONS = 8

export function Composer({ isBusy, placeholder, onSend, onStop }: ComposerProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [text, write] = useState('')
  const [chosen, choose] = useState(0)
  const [attachments, keep] = useState<readonly Attachment[]>([])
  const [problem, complain] = useState('')
  const offered = suggestions(text, useStore(catalog).tools).slice(0, MOST_SUGGESTIONS)

  // As high as what is written, up to the limit of the style sheet.
  useEffect(() => {
    const area = field.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }, [text])

  const take = async (files: Iterable<File>) => {
    complain('')
    for (const file of files) {
      try {
        const attachment = await attach(file)
        keep((known) => [...known, attachment])
      } catch (error) {
        complain(error instanceof Error ? error.message : 'This file cannot be attached.')
      }
    }
  }
  const send = () => {
    if (isBusy || (text.trim() === '' && attachments.length === 0)) return
    onSend(text.trim(), attachments)
    write('')
    keep([])
  }
  const complete = ({ name }: Tool) => {
    write(`/${name} `)
    choose(0)
    field.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    // Enter that ends the choice of a character is not the end of the message.
    if (event.isComposing) return
    const tool = offered[chosen]
    if (tool && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      choose((chosen + step + offered.length) % offered.length)
    } else if (tool && (event.key === 'Tab' || event.key === 'Enter') && text !== `/${tool.name}`) {
      event.preventDefault()
      complete(tool)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape' && offered.length > 0) write('')
  }

  return (
    <div
      class="composer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer?.files ?? [])
      }}
    >
      {offered.length > 0 && (
        <ul class="suggestions" role="listbox" id={`${id}-tools`} aria-label="Tools">
          {offered.map((tool, index) => (
            <li
              key={tool.name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onMouseDown={(event) => {
                event.preventDefault()
                complete(tool)
              }}
            >
              <b>/{tool.name}</b> <span class="faint">{tool.description}</span>
            </li>
          ))}
        </ul>
      )}
      {attachments.length > 0 && (
        <ul class="attached" aria-label="Attached files">
          {attachments.map((attachment) => (
            <li class="chip" key={attachment.name}>
              {attachment.name}
              <button
                type="button"
                aria-label={`Remove ${attachment.name}`}
                onClick={() => keep((known) => known.filter((other) => other !== attachment))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="write">
        <button
          type="button"
          class="bare"
          aria-label="Attach a file"
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            void take([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <textarea
          ref={field}
          rows={1}
          value={text}
          placeholder={placeholder}
          aria-label="Message"
          aria-autocomplete="list"
          aria-controls={offered.length > 0 ? `${id}-tools` : undefined}
          aria-activedescendant={offered.length > 0 ? `${id}-${chosen}` : undefined}
          onInput={(event) => {
            write(event.currentTarget.value)
            choose(0)
          }}
          onKeyDown={onKey}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])]
            if (files.length === 0) return
            event.preventDefault()
            void take(files)
          }}
        />
        {isBusy ? (
          <button type="button" class="primary round" aria-label="Stop" onClick={onStop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="button" class="primary round" aria-label="Send" onClick={send}>
            <Icon name="send" />
          </button>
        )}
      </div>
    </div>
  )
}

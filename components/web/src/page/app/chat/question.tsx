/** A message of the user, which can be edited and sent again. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import type { Message } from './message.ts'

interface QuestionProps {
  message: Message
  onResend: (id: string, text: string) => void
}

export function Question({ message: { id, content, data }, onResend }: QuestionProps) {
  const [isEdited, setEdited] = useState(false)
  const article = useRef<HTMLElement>(null)
  const attached = data?.attached ?? []
  const close = () => {
    setEdited(false)
    setTimeout(() => article.current?.querySelector('button')?.focus())
  }
  if (isEdited) {
    return (
      <Editor
        text={content}
        hasFiles={attached.length > 0}
        onCancel={close}
        onSend={(text) => {
          setEdited(false)
          onResend(id, text)
        }}
      />
    )
  }
  return (
    <article class="message from-user" aria-label="You" ref={article}>
      <p class="said">{content}</p>
      {attached.length > 0 && (
        <p class="about">
          <Icon name="attach" /> {attached.join(', ')}
        </p>
      )}
      <button
        type="button"
        class="bare edit"
        aria-label="Edit"
        title="Edit"
        onClick={() => setEdited(true)}
      >
        <Icon name="pen" />
      </button>
    </article>
  )
}

interface EditorProps {
  text: string
  hasFiles: boolean
  onSend: (text: string) => void
  onCancel: () => void
}

function Editor({ text, hasFiles, onSend, onCancel }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const area = field.current
    if (!area) return
    area.style.height = `${area.scrollHeight}px`
    area.focus()
    area.setSelectionRange(text.length, text.length)
  }, [])
  const send = () => {
    const typed = field.current?.value.trim() ?? ''
    if (typed !== '') onSend(typed)
  }
  return (
    <form
      class="message editor"
      aria-label="Edit"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        aria-label="New words"
        defaultValue={text}
        onKeyDown={(event) => {
          if (event.isComposing) return
          if (event.key === 'Escape') onCancel()
          else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            send()
          }
        }}
      />
      <div class="actions tight">
        <span class="about grow">
          {hasFiles
            ? 'Its files are not sent again. What follows is replaced.'
            : 'What follows is replaced.'}
        </span>
        <button type="button" class="small" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class="small primary">
          Send
        </button>
      </div>
    </form>
  )
}

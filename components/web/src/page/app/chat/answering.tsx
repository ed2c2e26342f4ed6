/** Answers that still arrive in conversations that are not shown. */
import { useStore } from '../store.ts'
import { answering, stopAnswer, switchConversation } from './tab-conversations.ts'

export function Answering() {
  const list = useStore(answering)
  if (list.length === 0) return null
  return (
    <ul class="answering" aria-label="Answers in other conversations">
      {list.map(({ id, title }) => (
        <li key={id} class="line">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="grow clamped">Still answering “{title}”</span>
          <button type="button" class="small" onClick={() => void switchConversation(id)}>
            Show
          </button>
          <button
            type="button"
            class="small"
            aria-label={`Stop answering “${title}”`}
            onClick={() => stopAnswer(id)}
          >
            Stop
          </button>
        </li>
      ))}
    </ul>
  )
}

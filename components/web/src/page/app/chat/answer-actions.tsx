/** What can be done with the last answer: make it again, or let it go on where it was cut off. */
import { Icon } from '../icons.tsx'
import type { Message } from './message.ts'
import { continueAnswer, regenerate } from './resend.ts'

export function AnswerActions({ message: { id, ending } }: { message: Message }) {
  return (
    <div class="answer-actions">
      {ending === 'length' && (
        <button type="button" class="small" onClick={() => void continueAnswer()}>
          <Icon name="play" /> Continue
        </button>
      )}
      <button type="button" class="bare small" onClick={() => void regenerate(id)}>
        <Icon name="again" /> Regenerate
      </button>
    </div>
  )
}

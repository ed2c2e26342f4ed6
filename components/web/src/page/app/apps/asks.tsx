/** What an app wants, below its frame: the page's own words, and the app's as a quotation. Nothing happens without a click. */
import { visible } from '../approval/visible.ts'
import { Icon } from '../icons.tsx'
import type { Ask } from './app-call.ts'

interface AsksProps {
  ask: Ask
  title: string
  onDecide: (isAccepted: boolean) => void
}

export function AskStrip({ ask, title, onDecide }: AsksProps) {
  const { words, action } = WORDS[ask.kind]
  return (
    <div class="app-ask" role="group" aria-label="The app asks">
      <p>
        The app of {visible(title)} {words}
      </p>
      {ask.kind === 'link' ? (
        <p class="app-said">
          <b>{ask.url.host}</b>
          <br />
          {visible(ask.url.href)}
        </p>
      ) : (
        <blockquote class="app-said">{visible(ask.text)}</blockquote>
      )}
      <div class="actions">
        <button type="button" class="small primary" onClick={() => onDecide(true)}>
          <Icon name={ask.kind === 'link' ? 'open' : 'chat'} /> {action}
        </button>
        <button type="button" class="small" onClick={() => onDecide(false)}>
          {ask.kind === 'note' ? 'Dismiss' : 'Decline'}
        </button>
      </div>
    </div>
  )
}

const WORDS: Record<Ask['kind'], { words: string; action: string }> = {
  link: { words: 'wants to open an address in a new tab:', action: 'Open' },
  message: {
    words: 'wants to send a message to the chat. You can edit it before you send it:',
    action: 'Put into the message',
  },
  note: { words: 'has a note for the model:', action: 'Add to the message' },
}

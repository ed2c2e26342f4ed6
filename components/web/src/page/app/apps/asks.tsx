/** What an app wants, below its frame: the page's own words, and the app's as a quotation. Nothing happens without a click. */
import { useEffect, useState } from 'preact/hooks'
import { visible } from '../approval/visible.ts'
import { Icon, type IconName } from '../icons.tsx'
import type { Ask } from './app-call.ts'
import { sizeOf } from './save-file.ts'

/** Milliseconds: a click that was meant for what was there before must not accept. */
const WAIT_MS = 500

interface AsksProps {
  ask: Ask
  title: string
  onDecide: (isAccepted: boolean) => void
}

export function AskStrip({ ask, title, onDecide }: AsksProps) {
  const { words, action, icon } = WORDS[ask.kind]
  const [ready, setReady] = useState<Ask>()
  useEffect(() => {
    const timer = setTimeout(() => setReady(ask), WAIT_MS)
    return () => clearTimeout(timer)
  }, [ask])
  const isReady = ready === ask
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
      ) : ask.kind === 'file' ? (
        <p class="app-said">
          <b>{ask.file.name}</b>
          <br />
          {ask.file.type}, {sizeOf(ask.file)}
          {!ask.file.isPlain && (
            <>
              <br />A file of this kind can run programs when you open it.
            </>
          )}
        </p>
      ) : (
        <blockquote class="app-said">{visible(ask.text)}</blockquote>
      )}
      <div class="actions">
        <button
          type="button"
          class="small primary"
          aria-disabled={!isReady}
          onClick={() => isReady && onDecide(true)}
        >
          <Icon name={icon} /> {action}
        </button>
        <button type="button" class="small" onClick={() => onDecide(false)}>
          {ask.kind === 'note' ? 'Dismiss' : 'Decline'}
        </button>
      </div>
    </div>
  )
}

const WORDS: Record<Ask['kind'], { words: string; action: string; icon: IconName }> = {
  link: { words: 'wants to open an address in a new tab:', action: 'Open', icon: 'open' },
  file: { words: 'wants to save a file on this device:', action: 'Save', icon: 'download' },
  message: {
    words: 'wants to send a message to the chat. You can edit it before you send it:',
    action: 'Put into the message',
    icon: 'chat',
  },
  note: { words: 'has a note for the model:', action: 'Add to the message', icon: 'chat' },
}

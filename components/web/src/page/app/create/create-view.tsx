/** The view for people who draw: conversations at the left, the chat, and its pictures at the right. */
import { useState } from 'preact/hooks'
import { ChatView } from '../chat/chat-view.tsx'
import { savedStore } from '../saved.ts'
import { useStore } from '../store.ts'
import { Side, useRoom } from './side.tsx'
import './create.css'

/** Pixels of the window that the columns need. */
const ROOM_LEFT = 1_040

const loadConversations = async () => (await import('./conversation-list.tsx')).ConversationList

/** Which columns the user has folded. */
const folded = savedStore('create', { left: false })

export function CreateView() {
  const { left } = useStore(folded)
  const isColumn = useRoom(ROOM_LEFT)
  const [isDrawer, setDrawer] = useState(false)
  const isShown = isColumn ? !left : isDrawer
  const toggle = () => {
    if (isColumn) folded.set((before) => ({ ...before, left: !before.left }))
    else setDrawer(true)
  }
  return (
    <div class="create">
      {isShown && (
        <Side
          title="Conversations"
          at="left"
          isColumn={isColumn}
          load={loadConversations}
          onClose={() => setDrawer(false)}
        />
      )}
      <ChatView hasList={isShown} onList={toggle} />
    </div>
  )
}

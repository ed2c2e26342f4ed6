/** The view for people who draw: conversations at the left, the chat, and its pictures at the right. */
import { useState } from 'preact/hooks'
import { conversation } from '../chat/tab-conversations.ts'
import { ChatView } from '../chat/chat-view.tsx'
import { savedStore } from '../local-storage.ts'
import { useStore } from '../store.ts'
import { Side, useRoom } from './side.tsx'
import './create.css'

/** Pixels of the window that the columns need. */
const ROOM_LEFT = 1_040
const ROOM_RIGHT = 1_320

const loadConversations = async () => (await import('./conversation-list.tsx')).ConversationList

const loadPictures = async () => (await import('./picture-list.tsx')).PictureList

/** Which columns the user has folded. */
const folded = savedStore('create', { left: false, right: false })

export function CreateView() {
  const { left, right } = useStore(folded)
  const { messages } = useStore(conversation)
  const hasPictures = messages.some(({ artifacts, data, calls }) =>
    Boolean(artifacts.length > 0 || data?.jobs || calls.some(({ jobId }) => jobId)),
  )
  const isRightColumn = useRoom(ROOM_RIGHT)
  const [isRightDrawer, setRightDrawer] = useState(false)
  const hasRight = hasPictures && (isRightColumn ? !right : isRightDrawer)
  const toggleRight = () => {
    if (isRightColumn) folded.set((before) => ({ ...before, right: !before.right }))
    else setRightDrawer(true)
  }
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
      <ChatView
        hasList={isShown}
        onList={toggle}
        hasPictures={hasRight}
        onPictures={hasPictures ? toggleRight : undefined}
      />
      {hasRight && (
        <Side
          title="Pictures"
          at="right"
          isColumn={isRightColumn}
          load={loadPictures}
          onClose={() => setRightDrawer(false)}
        />
      )}
    </div>
  )
}

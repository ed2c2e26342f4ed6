/** The pictures of the conversation, at its right. */
import { useState } from 'preact/hooks'
import { conversation } from '../chat/tab-conversations.ts'
import { jobs } from '../jobs/known-jobs.ts'
import { useAddress } from '../jobs/file-links.ts'
import { useStore } from '../store.ts'
import { useLoaded } from '../frame/loaded.ts'
import { type Picture, picturesIn } from './pictures.ts'
import type { SideContent } from './side.tsx'
import './picture-list.css'

const loadViewer = async () => (await import('./picture-viewer.tsx')).PictureViewer

/** Pictures in the document at first, and with each step more. */
const STEP = 60

export function PictureList({ onChosen }: SideContent) {
  const { messages } = useStore(conversation)
  const pictures = picturesIn(messages, useStore(jobs))
  const [shown, setShown] = useState<string>()
  const [count, setCount] = useState(STEP)
  const { part: Viewer } = useLoaded(shown === undefined ? undefined : loadViewer)
  const at = pictures.findIndex(({ url }) => url === shown)
  return (
    <section class="pictures" aria-label="Pictures">
      {pictures.length === 0 && (
        <p class="faint small-text">The pictures of this conversation appear here.</p>
      )}
      <ul class="picture-grid">
        {pictures.slice(0, count).map((picture) => (
          <li key={picture.url}>
            <Thumbnail picture={picture} onOpen={() => setShown(picture.url)} />
          </li>
        ))}
      </ul>
      {pictures.length > count && (
        <button type="button" class="linkish" onClick={() => setCount(count + STEP)}>
          {pictures.length - count} more pictures
        </button>
      )}
      {Viewer && at >= 0 && (
        <Viewer
          pictures={pictures}
          at={at}
          onMove={(to) => setShown(pictures[to]?.url)}
          onActed={() => {
            setShown(undefined)
            onChosen()
          }}
          onClose={() => setShown(undefined)}
        />
      )}
    </section>
  )
}

function Thumbnail({ picture, onOpen }: { picture: Picture; onOpen: () => void }) {
  const { url, prompt, seed } = picture
  const address = useAddress(url)
  return (
    <button type="button" class="thumbnail" title="Open the picture" onClick={onOpen}>
      {address !== undefined && <img src={address} alt="" loading="lazy" decoding="async" />}
      <span class="thumbnail-words">
        <span class="clamped">{prompt}</span>
        {seed !== undefined && <span class="faint">seed {seed}</span>}
      </span>
    </button>
  )
}

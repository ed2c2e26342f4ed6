/** The picture to start from, and which parts of it to change. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { readPicture } from '../chat/attachments.ts'
import { useLoaded } from '../frame/loaded.ts'
import { Icon } from '../icons.tsx'
import { useAddress } from '../jobs/file-links.ts'
import { useStore } from '../store.ts'
import { choose, chosen } from './chosen.ts'
import type { Control } from './image-tool.ts'

interface StartImageProps {
  value: unknown
  mask: Control | undefined
  onChange: (value: unknown) => void
}

const loadBrush = async () => (await import('./mask-brush.tsx')).MaskBrush

export function StartImage({ value, mask, onChange }: StartImageProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const [isPainting, setPainting] = useState(false)
  const [share, setShare] = useState<number>()
  const written = typeof value === 'string' ? value : ''
  // The server keeps an upload for tools, and has no address to show it.
  const isSent = written.startsWith('/uploads/')
  const known = useAddress(written)
  const address = isSent ? undefined : known
  const hasMask = mask !== undefined && useStore(chosen)[mask.name] !== undefined
  const running = useRef<AbortController>(undefined)
  const stop = () => {
    running.current?.abort()
    setShare(undefined)
  }
  useEffect(() => () => running.current?.abort(), [])
  const take = async (file: File) => {
    stop()
    setProblem('')
    const { signal } = (running.current = new AbortController())
    const show = (next: number | undefined) => {
      if (!signal.aborted) setShare(next)
    }
    try {
      const picture = await readPicture(file, show, signal)
      // The user has chosen another one, or none, since.
      if (signal.aborted) return
      onChange(picture)
    } catch (error) {
      if (signal.aborted) return
      setProblem(error instanceof Error ? error.message : 'This file cannot be used.')
    }
    show(undefined)
  }
  return (
    <div class="start-image">
      {typeof value === 'string' && address !== undefined && (
        <img src={address} alt="The picture to start from" />
      )}
      {isSent && <p class="about">A large picture, which is on the server for a day.</p>}
      {share !== undefined && (
        <div class="beside">
          <progress aria-label="Sending the picture" value={share} max={1} />
          <button type="button" class="small" onClick={stop}>
            <Icon name="stop" /> Stop
          </button>
        </div>
      )}
      <div class="actions">
        <button type="button" class="small" onClick={() => picker.current?.click()}>
          {value === undefined ? 'Choose a picture' : 'Choose another'}
        </button>
        <input
          ref={picker}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          hidden
          aria-label="Picture to start from"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) void take(file)
            event.currentTarget.value = ''
          }}
        />
        {address !== undefined && value !== undefined && mask && (
          <button type="button" class="small" onClick={() => setPainting(true)}>
            <Icon name="pen" /> {hasMask ? 'Change the mask' : 'Paint a mask'}
          </button>
        )}
        {value !== undefined && (
          <button
            type="button"
            class="small"
            onClick={() => {
              stop()
              onChange(undefined)
            }}
          >
            <Icon name="close" /> Remove
          </button>
        )}
      </div>
      <p class="about">
        {hasMask
          ? 'Only what you have painted changes.'
          : 'A file, or a picture that was made here: choose “Use as input” at the picture.'}
      </p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isPainting && mask && address !== undefined && (
        <Painting
          address={address}
          onDone={(painted) => {
            if (painted !== undefined) choose(mask.name, painted)
            setPainting(false)
          }}
        />
      )}
    </div>
  )
}

function Painting(props: { address: string; onDone: (mask?: string) => void }) {
  const { part: MaskBrush } = useLoaded(loadBrush)
  return MaskBrush ? <MaskBrush {...props} /> : null
}

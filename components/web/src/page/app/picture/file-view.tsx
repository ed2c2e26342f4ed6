/** A file of a result: videos and sounds are played, every other one has its name, its size and a link. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { sizeInWords } from './inline.ts'
import './file-view.css'

export interface FileViewProps {
  /** As the browser can request it. */
  address: string
  name: string
  mimeType: string
}

/** By the end of a name, where the tool gives no type. */
const TYPES: Readonly<Record<string, 'audio' | 'video'>> = {
  ...{ mp4: 'video', webm: 'video', mov: 'video', mkv: 'video' },
  ...{ mp3: 'audio', wav: 'audio', flac: 'audio', ogg: 'audio', opus: 'audio', m4a: 'audio' },
}

export function FileView(props: FileViewProps) {
  const { name, mimeType } = props
  const [isBroken, setBroken] = useState(false)
  const [, extension = ''] = /\.([a-z0-9]+)$/i.exec(name) ?? []
  const [start = ''] = mimeType.split('/')
  const named = Object.hasOwn(TYPES, extension.toLowerCase()) ? TYPES[extension.toLowerCase()] : ''
  const kind = mimeType === '' ? named : start
  if (kind !== 'audio' && kind !== 'video') return <FileLink {...props} />
  if (isBroken) {
    return (
      <div class="notice">
        <p>{name}: the browser cannot play this file.</p>
        <FileLink {...props} />
      </div>
    )
  }
  return <Player {...props} isSound={kind === 'audio'} onBroken={() => setBroken(true)} />
}

interface PlayerProps extends FileViewProps {
  isSound: boolean
  onBroken: () => void
}

function Player({ address, name, mimeType, isSound, onBroken }: PlayerProps) {
  const figure = useRef<HTMLElement>(null)
  const isSeen = useSeen(figure)
  const shared = {
    controls: true,
    preload: 'metadata',
    'aria-label': name,
    src: isSeen ? address : undefined,
    onError: () => isSeen && onBroken(),
  } as const
  return (
    <figure class="media" ref={figure}>
      {isSound ? <audio {...shared} /> : <video playsInline {...shared} />}
      <figcaption>
        <FileLink address={address} name={name} mimeType={mimeType} />
      </figcaption>
    </figure>
  )
}

function FileLink({ address, name, mimeType }: FileViewProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const bytes = useSize(address, useSeen(link))
  const about = [mimeType || 'file', ...(bytes === undefined ? [] : [sizeInWords(bytes)])]
  return (
    <a class="button small" href={address} download={name} ref={link}>
      <Icon name="download" /> {name} ({about.join(', ')})
    </a>
  )
}

/** Whether the element has been in view: nothing of a file is requested before. */
function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current || isSeen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [isSeen])
  return isSeen
}

/** Of a file of this origin. @returns `undefined` while it is not known */
function useSize(address: string, isSeen: boolean): number | undefined {
  const [bytes, setBytes] = useState<number>()
  useEffect(() => {
    if (!isSeen || !address.startsWith('/outputs/')) return
    let isWanted = true
    const read = async () => {
      const { ok, headers } = await fetch(address, { method: 'HEAD' })
      const length = headers.get('content-length')
      if (isWanted && ok && length !== null) setBytes(Number(length))
    }
    read().catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [address, isSeen])
  return bytes
}

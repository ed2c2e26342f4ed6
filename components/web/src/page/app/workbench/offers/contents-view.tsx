/** The contents of a resource by their media type. They are texts of strangers: HTML and Markdown are shown as text. */
import { useMemo, useState } from 'preact/hooks'
import { Icon } from '../../icons.tsx'
import { asArray, asRecord, text } from '../../net/api.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import { JsonTree } from '../result/json-tree.tsx'

export function ContentsView({ contents }: { contents: unknown }) {
  const list = asArray(contents)
  if (list.length === 0) return <p class="faint">It is empty: the server sent no contents.</p>
  return (
    <>
      {list.slice(0, MOST).map((content, index) => (
        <ContentView key={index} content={content} />
      ))}
      {list.length > MOST && <p class="about">{list.length - MOST} more contents are not shown.</p>}
    </>
  )
}

const MOST = 100

export function ContentView({ content }: { content: unknown }) {
  const { uri, mimeType, text: words, blob } = asRecord(content)
  const address = text(uri) ?? ''
  const type = (text(mimeType) ?? '').toLowerCase()
  return (
    <div class="part contents">
      <p class="line faint small-text">
        <code>{plainWords(address)}</code>
        {type !== '' && <span>{plainWords(type)}</span>}
      </p>
      {typeof words === 'string' ? (
        <Words words={words} type={type} />
      ) : typeof blob === 'string' ? (
        <BlobView blob={blob} type={type} name={nameIn(address)} />
      ) : (
        <JsonTree value={content} />
      )}
    </div>
  )
}

/** Characters that are shown at once: a browser stops for seconds with more. */
const LONGEST = 20_000

/** A text, or the JSON that is written in it. */
export function Words({ words, type }: { words: string; type: string }) {
  const json = useMemo(() => jsonIn(words, type), [words, type])
  const [isText, setText] = useState(json === undefined)
  const [isWhole, setWhole] = useState(false)
  if (words === '') return <p class="faint">An empty text</p>
  const isLong = words.length > LONGEST && !isWhole
  return (
    <>
      {json !== undefined && (
        <div class="switch" role="group" aria-label="Show as">
          <button type="button" aria-pressed={!isText} onClick={() => setText(false)}>
            JSON
          </button>
          <button type="button" aria-pressed={isText} onClick={() => setText(true)}>
            Text
          </button>
        </div>
      )}
      {json !== undefined && !isText ? (
        <JsonTree value={json} />
      ) : (
        <pre class="said" tabIndex={0}>
          {isLong ? words.slice(0, LONGEST) : words}
        </pre>
      )}
      {isLong && (isText || json === undefined) && (
        <button type="button" class="linkish" onClick={() => setWhole(true)}>
          {words.length - LONGEST} more characters
        </button>
      )}
    </>
  )
}

function jsonIn(words: string, type: string): unknown {
  if (!/[/+]json\b/.test(type) && !/^\s*[[{]/.test(words)) return undefined
  try {
    return JSON.parse(words) as unknown
  } catch {
    return undefined
  }
}

const PICTURE = /^image\/(png|jpeg|webp|gif)$/
const MEDIA = /^(audio|video)\/[\w.+-]+$/

function BlobView({ blob, type, name }: { blob: string; type: string; name: string }) {
  const size = useMemo(() => sizeOf(blob), [blob])
  const [shape, setShape] = useState('')
  const [isBroken, setBroken] = useState(false)
  if (size === undefined) return <p class="problem">The server sent a file that is not base64.</p>
  const address = `data:${type};base64,${blob}`
  const download = (
    <button type="button" class="small" onClick={() => save(blob, name)}>
      <Icon name="download" /> Download {plainWords(name)} ({bytes(size)})
    </button>
  )
  if (MEDIA.test(type)) {
    return (
      <figure class="media">
        {type.startsWith('audio/') ? (
          <audio controls src={address} aria-label={name} />
        ) : (
          <video controls src={address} aria-label={name} />
        )}
        <figcaption>{download}</figcaption>
      </figure>
    )
  }
  if (!PICTURE.test(type) || isBroken) {
    return (
      <>
        {isBroken && <p class="problem">The picture cannot be shown.</p>}
        {download}
      </>
    )
  }
  return (
    <figure class="picture">
      <img
        src={address}
        alt={plainWords(name)}
        onError={() => setBroken(true)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setShape(`${naturalWidth} × ${naturalHeight}`)
        }
      />
      <figcaption class="line faint small-text">
        {shape} {download}
      </figcaption>
    </figure>
  )
}

function sizeOf(blob: string): number | undefined {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(blob)) return undefined
  const { length } = blob.replace(/[\s=]/g, '')
  return Math.floor((length * 3) / 4)
}

/** Saved as bytes of no type: a browser that opens it runs nothing. */
function save(blob: string, name: string): void {
  const data = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([data], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The last part of the address, as the name of a file. */
function nameIn(uri: string): string {
  const last = uri.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? ''
  return (
    last
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(0, 80) || 'file'
  )
}

export function bytes(size: number): string {
  if (size < 1_000) return `${size} bytes`
  return size < 1_000_000
    ? `${(size / 1_000).toFixed(1)} KB`
    : `${(size / 1_000_000).toFixed(1)} MB`
}

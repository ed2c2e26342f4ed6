/** A file or a picture as an argument: chosen, dropped, or made here before. */
import { useState } from 'preact/hooks'
import { Icon } from '../../icons.tsx'
import { jobs, newestFirst } from '../../jobs/known-jobs.ts'
import { useAddress } from '../../jobs/file-links.ts'
import { picturesOf } from '../../net/result.ts'
import { useStore } from '../../store.ts'
import type { InputProps } from '../node-view.tsx'
import type { TextInput } from '../schema/text-input.ts'

/** Bytes. More than this no request to the gateway may have, base64 counted. */
const LARGEST = 2_500_000
const LONGEST_SHOWN = 2_000

export function FileInput({
  text,
  value,
  attributes,
  label,
  shape,
  onChange,
}: InputProps & { text: TextInput }) {
  const [problem, setProblem] = useState('')
  const [isPicking, setPicking] = useState(false)
  const [name, setName] = useState('')
  const written = typeof value === 'string' ? value : ''
  const title = label ?? shape.label
  const take = async (file: File | undefined) => {
    if (!file) return
    setProblem('')
    if (file.size > LARGEST) return setProblem(`${file.name} is larger than 2.5 MB.`)
    try {
      onChange(await read(file, text.encoding))
      setName(file.name)
    } catch {
      setProblem(`${file.name} cannot be read.`)
    }
  }
  const isTooLong = written.length > LONGEST_SHOWN
  return (
    <div
      class="file"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void take(event.dataTransfer?.files[0])
      }}
    >
      <Preview written={written} />
      {isTooLong ? (
        <p id={String(attributes['id'])} tabIndex={-1} class="faint">
          {name || 'A file'}, {written.length.toLocaleString('en')} characters
        </p>
      ) : text.isLong ? (
        <textarea
          {...attributes}
          rows={3}
          value={written}
          onInput={(event) => onChange(event.currentTarget.value || undefined)}
        />
      ) : (
        <input
          {...attributes}
          type="text"
          autocomplete="off"
          placeholder={
            text.type === 'picture' ? 'An address, or choose a picture' : 'Base64, or choose a file'
          }
          value={written}
          onInput={(event) => onChange(event.currentTarget.value || undefined)}
        />
      )}
      <div class="actions tight">
        <label class="button small pick">
          <Icon name="attach" /> {text.type === 'picture' ? 'Choose a picture' : 'Choose a file'}
          <input
            class="unseen"
            type="file"
            aria-label={`File for ${title}`}
            accept={text.accept || undefined}
            onChange={(event) => void take(event.currentTarget.files?.[0])}
          />
        </label>
        {text.type === 'picture' && (
          <button
            type="button"
            class="small"
            aria-expanded={isPicking}
            onClick={() => setPicking(!isPicking)}
          >
            <Icon name="gallery" /> Pictures made here
          </button>
        )}
        {written !== '' && (
          <button type="button" class="small bare" onClick={() => onChange(undefined)}>
            <Icon name="close" /> Clear
          </button>
        )}
      </div>
      {isPicking && (
        <MadeHere
          onPick={(url) => {
            onChange(url)
            setPicking(false)
          }}
        />
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

const MOST_SHOWN = 12

function MadeHere({ onPick }: { onPick: (url: string) => void }) {
  const pictures = newestFirst(useStore(jobs))
    .flatMap(({ result }) => picturesOf(result))
    .filter((url) => url.startsWith('/outputs/'))
    .slice(0, MOST_SHOWN)
  if (pictures.length === 0)
    return <p class="about">No picture has been made in this browser yet.</p>
  return (
    <ul class="made-here">
      {pictures.map((url, index) => (
        <li key={url}>
          <button type="button" aria-label={`Use picture ${index + 1}`} onClick={() => onPick(url)}>
            <Thumbnail url={url} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Preview({ written }: { written: string }) {
  const isPicture =
    /^data:image\/(png|jpeg|webp|gif);base64,/.test(written) || /^\/outputs\/[\w.-]+$/.test(written)
  return isPicture ? <Thumbnail url={written} /> : null
}

function Thumbnail({ url }: { url: string }) {
  const address = useAddress(url)
  return address === undefined ? null : <img class="thumbnail" src={address} alt="" />
}

async function read(file: File, encoding: TextInput['encoding']): Promise<string> {
  if (encoding === 'text') return file.text()
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => {
      // As a data URL it is always a string.
      const url = reader.result as string
      resolve(encoding === 'base64' ? url.replace(/^[^,]*,/, '') : url)
    }
    reader.onerror = () => reject(new Error('unreadable'))
    reader.readAsDataURL(file)
  })
}

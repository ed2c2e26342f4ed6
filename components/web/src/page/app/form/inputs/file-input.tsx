/** A file or a picture as an argument: chosen, dropped, or made here before. */
import { useState } from 'preact/hooks'
import { Icon } from '../../icons.tsx'
import { jobs, newestFirst } from '../../jobs/known-jobs.ts'
import { useAddress } from '../../jobs/file-links.ts'
import { picturesOf } from '../../net/result.ts'
import { useStore } from '../../store.ts'
import type { InputProps } from '../node-view.tsx'
import type { TextInput } from '../schema/text-input.ts'
import { SendingFile } from './sending-file.tsx'
import { useFile } from './use-file.ts'

const LONGEST_SHOWN = 2_000

export function FileInput({
  text,
  value,
  attributes,
  label,
  shape,
  onChange: write,
}: InputProps & { text: TextInput }) {
  const [isPicking, setPicking] = useState(false)
  const { take, stop, name, problem, sending } = useFile(text, write)
  // What the user does last counts, and not a file that arrives later.
  const onChange = (next: unknown) => {
    stop()
    write(next)
  }
  const written = typeof value === 'string' ? value : ''
  const title = label ?? shape.label
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
      {sending ? (
        <SendingFile {...sending} id={String(attributes['id'])} />
      ) : isTooLong ? (
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
            text.type === 'picture'
              ? 'An address, or choose a picture'
              : text.uploads
                ? 'An address, or choose a file'
                : 'Base64, or choose a file'
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
            onChange={(event) => {
              void take(event.currentTarget.files?.[0])
              // The same file can be chosen again, for example after it was stopped.
              event.currentTarget.value = ''
            }}
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
      {written.startsWith('/uploads/') && name !== '' && !sending && (
        <p class="faint small-text" role="status">
          {name} is on the server, for a day.
        </p>
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

/** The files of a message that is being written: choosing, showing and removing them. */
import { useRef } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { newKey } from '../jobs/call.ts'
import { createStore, useStore } from '../store.ts'
import { attach, type Attachment } from './attachments.ts'

interface Attached {
  files: readonly Attachment[]
  /** Those that are on their way. */
  sending: readonly SendingFile[]
  /** Why the last file cannot be attached; empty if it can. */
  problem: string
}

interface SendingFile {
  id: string
  name: string
  /** From 0 to 1. */
  share: number
  stop: () => void
}

const attached = createStore<Attached>({ files: [], sending: [], problem: '' })

/** Attaches files to the message that is being written. */
export async function addFiles(files: Iterable<File>): Promise<void> {
  attached.set((before) => ({ ...before, problem: '' }))
  for (const file of files) await addFile(file)
}

async function addFile(file: File): Promise<void> {
  const controller = new AbortController()
  let own: SendingFile = { id: newKey(), name: file.name, share: 0, stop: () => controller.abort() }
  const show = (share: number) => {
    const before = own
    own = { ...own, share }
    attached.set(({ sending, ...rest }) => ({
      ...rest,
      sending: [...sending.filter((other) => other !== before), own],
    }))
  }
  // From the first moment: Enter would send the message without it.
  show(0)
  try {
    const attachment = await attach(file, show, controller.signal)
    if (controller.signal.aborted) return
    attached.set((before) => ({ ...before, files: [...before.files, attachment] }))
  } catch (error) {
    if (controller.signal.aborted) return
    const problem = error instanceof Error ? error.message : 'This file cannot be attached.'
    attached.set((before) => ({ ...before, problem }))
  } finally {
    attached.set(({ sending, ...rest }) => ({
      ...rest,
      sending: sending.filter((other) => other !== own),
    }))
  }
}

export function useAttachments() {
  const { files, sending, problem } = useStore(attached)
  const set = (change: (files: readonly Attachment[]) => readonly Attachment[]): void =>
    attached.set((before) => ({ ...before, files: change(before.files) }))
  return {
    attachments: files,
    sending,
    problem,
    set,
    remove: (attachment: Attachment): void =>
      set((known) => known.filter((other) => other !== attachment)),
  }
}

export interface AttachedFilesProps {
  attachments: readonly Attachment[]
  sending: readonly SendingFile[]
  onRemove: (attachment: Attachment) => void
}

export function AttachedFiles({ attachments, sending, onRemove }: AttachedFilesProps) {
  return (
    <ul class="attached" aria-label="Attached files">
      {attachments.map((attachment) => (
        <li class="chip" key={attachment.id}>
          {attachment.name}
          <button
            type="button"
            aria-label={`Remove ${attachment.name}`}
            onClick={() => onRemove(attachment)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
      {sending.map(({ id, name, share, stop }) => (
        <li class="chip" key={id}>
          {name} <progress aria-label={`Sending ${name}`} value={share} max={1} />
          <button type="button" aria-label={`Stop sending ${name}`} onClick={stop}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

export function FilePicker({ onFiles }: { onFiles: (files: readonly File[]) => Promise<void> }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        class="bare"
        aria-label="Attach a file"
        onClick={() => picker.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          void onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

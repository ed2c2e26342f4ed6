/** The files of a message that is being written: choosing, showing and removing them. */
import { useRef } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { createStore, useStore } from '../store.ts'
import { attach, type Attachment } from './attachments.ts'

interface Attached {
  files: readonly Attachment[]
  /** Why the last file cannot be attached; empty if it can. */
  problem: string
}

const attached = createStore<Attached>({ files: [], problem: '' })

/** Attaches files to the message that is being written. */
export async function addFiles(files: Iterable<File>): Promise<void> {
  attached.set((before) => ({ ...before, problem: '' }))
  for (const file of files) {
    try {
      const attachment = await attach(file)
      attached.set((before) => ({ ...before, files: [...before.files, attachment] }))
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'This file cannot be attached.'
      attached.set((before) => ({ ...before, problem }))
    }
  }
}

export function useAttachments() {
  const { files, problem } = useStore(attached)
  const set = (change: (files: readonly Attachment[]) => readonly Attachment[]): void =>
    attached.set((before) => ({ ...before, files: change(before.files) }))
  return {
    attachments: files,
    problem,
    set,
    remove: (attachment: Attachment): void =>
      set((known) => known.filter((other) => other !== attachment)),
  }
}

export interface AttachedFilesProps {
  attachments: readonly Attachment[]
  onRemove: (attachment: Attachment) => void
}

export function AttachedFiles({ attachments, onRemove }: AttachedFilesProps) {
  return (
    <ul class="attached" aria-label="Attached files">
      {attachments.map((attachment) => (
        <li class="chip" key={attachment.name}>
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

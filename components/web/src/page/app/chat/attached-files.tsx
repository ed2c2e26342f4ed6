/** The files of a message that is being written: choosing, showing and removing them. */
import { useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { attach, type Attachment } from './attachments.ts'

export function useAttachments() {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([])
  const [problem, setProblem] = useState('')
  return {
    attachments,
    /** Why the last file cannot be attached; empty if it can. */
    problem,
    addFiles: async (files: Iterable<File>): Promise<void> => {
      setProblem('')
      for (const file of files) {
        try {
          const attachment = await attach(file)
          setAttachments((known) => [...known, attachment])
        } catch (error) {
          setProblem(error instanceof Error ? error.message : 'This file cannot be attached.')
        }
      }
    },
    remove: (attachment: Attachment): void =>
      setAttachments((known) => known.filter((other) => other !== attachment)),
    clear: (): void => setAttachments([]),
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

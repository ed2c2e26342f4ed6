/** Says when conversations cannot be stored, and what happened to the one that is shown. */
import { useStore } from '../store.ts'
import { archive } from './archive/archive.ts'
import { notice } from './tab-conversations.ts'

const WORDS = {
  stored: '',
  blocked:
    'This browser does not let the page store anything. Conversations are kept until this tab is closed; export what you need.',
  full: 'The newest messages could not be stored: the browser’s storage may be full. They are kept until this tab is closed, and storing them is tried again. Delete or export conversations.',
}

export function StorageNotice() {
  const { state } = useStore(archive)
  const happened = useStore(notice)
  const words = WORDS[state] || happened
  return words === '' ? null : (
    <p class="notice" role="status">
      {words}
    </p>
  )
}

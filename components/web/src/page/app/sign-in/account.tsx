/** Who is signed in, and how to sign out. */
import { forgetArchive } from '../chat/archive/archive.ts'
import { forgetSaved } from '../local-storage.ts'
import { useStore } from '../store.ts'
import { session, signOut } from './session.ts'

export function Account() {
  const { state, name, at } = useStore(session)
  if (state !== 'signed-in') return null
  const forget = async () => {
    await forgetArchive()
    forgetSaved()
    sessionStorage.clear()
    await signOut()
  }
  return (
    <section>
      <h3>Account</h3>
      <p>
        Signed in as <b>{name}</b>
        {at === '' ? ' with an API key' : ` at ${at}`}
      </p>
      <div class="actions">
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
        <button type="button" onClick={() => void forget()}>
          Sign out and delete history
        </button>
      </div>
      <p class="about">
        Conversations and the list of jobs stay in this browser unless you delete them.
        {at !== '' && ` You stay signed in at ${at} itself.`}
      </p>
    </section>
  )
}

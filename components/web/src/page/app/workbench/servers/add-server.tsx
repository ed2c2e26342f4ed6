/** Asks for the address of another MCP server, and for what proves to it who the user is. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { allowedServers, readAddress } from './address.ts'
import { addServer } from './known-servers.ts'
import { forgetConnection } from '../mcp/connection.ts'
import { forgetOffers } from '../offers/offers.ts'
import { type Access, AccessFields, accessProblem, headerOf } from './access-fields.tsx'

export function AddServer({ onClose }: { onClose: () => void }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [address, setAddress] = useState('')
  const [access, setAccess] = useState<Access>({ kind: 'none', name: '', value: '' })
  const [problem, setProblem] = useState('')
  const [accessWrong, setAccessWrong] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    const found = readAddress(address, { allowed: allowedServers(), page: new URL(location.href) })
    const wrong = accessProblem(access)
    setProblem('problem' in found ? found.problem : '')
    setAccessWrong(wrong)
    if ('problem' in found) return document.getElementById(`${id}-address`)?.focus()
    if (wrong !== '') return
    const { host, pathname, search } = found.url
    const name = host + (pathname === '/' ? '' : pathname) + (search === '' ? '' : '?…')
    const [header, secret] = headerOf(access)
    const added = addServer({ name, url: found.url.href, header }, secret)
    forgetConnection(added)
    forgetOffers(added)
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} class="elicitation" aria-labelledby={`${id}-title`} onClose={onClose}>
      <form class="tool-form" noValidate onSubmit={submit}>
        <h2 id={`${id}-title`}>Add a server</h2>
        <p class="about">
          The page connects to it from this browser, over Streamable HTTP. The server must allow
          requests of pages (CORS).
        </p>
        <div class="field">
          <label for={`${id}-address`}>Address of its MCP endpoint</label>
          <input
            id={`${id}-address`}
            type="url"
            placeholder="http://localhost:4000/mcp"
            autocomplete="off"
            spellcheck={false}
            value={address}
            aria-invalid={problem !== ''}
            aria-describedby={problem === '' ? undefined : `${id}-problem`}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
          {problem !== '' && (
            <p class="problem" id={`${id}-problem`} role="alert">
              {problem}
            </p>
          )}
        </div>
        <AccessFields access={access} problem={accessWrong} onChange={setAccess} />
        <p class="about">
          The page keeps the address until this tab is closed, and the token in memory only: a
          reload forgets it. Neither is part of a link.
        </p>
        <div class="actions">
          <button type="submit" class="primary">
            Add and connect
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}

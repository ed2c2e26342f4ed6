/** Gives another server a token: one that the user enters, or that of a sign-in. */
import { useState } from 'preact/hooks'
import { useStore } from '../../store.ts'
import { nameOf } from '../../sign-in/resource.ts'
import type { Connection } from '../mcp/connection.ts'
import { type Access, AccessFields, accessProblem, headerOf } from './access-fields.tsx'
import { attempts, findIssuers, signInTo } from './foreign-sign-in.ts'
import { changeHeader, secretHeader, type Server } from './known-servers.ts'

interface ServerAccessProps {
  server: Server
  connection: Connection | undefined
  /** Called when there is another token. */
  onChanged: () => void
}

export function ServerAccess({ server, connection, onChanged }: ServerAccessProps) {
  const has = secretHeader(server)
  const isShut = connection?.state === 'failed' && connection.refusal.kind === 'sign-in'
  const [access, setAccess] = useState<Access>({ kind: 'token', name: '', value: '' })
  const [problem, setProblem] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    const wrong = accessProblem(access)
    setProblem(wrong)
    if (wrong !== '') return
    changeHeader(server.id, ...headerOf(access))
    onChanged()
  }
  const forget = () => {
    changeHeader(server.id, '', '')
    onChanged()
  }
  return (
    <section class="server-part" aria-labelledby="server-access">
      <h3 id="server-access">Who you are</h3>
      <p class="about">
        {has
          ? `The page sends the header ${has[0]} to this server. It is kept in memory only.`
          : server.header === ''
            ? 'The page sends nothing that says who you are.'
            : `The header ${server.header} was forgotten with the reload. Enter it again.`}
      </p>
      {has && (
        <div class="actions">
          <button type="button" class="small" onClick={forget}>
            Forget it
          </button>
        </div>
      )}
      {isShut && <SignIn {...{ server, connection, onChanged }} />}
      <details open={isShut || (server.header !== '' && !has) || undefined}>
        <summary>{has ? 'Use another token or header' : 'Use a token or a header'}</summary>
        <form class="tool-form" noValidate onSubmit={submit}>
          <AccessFields {...{ access, problem }} onChange={setAccess} />
          <div class="actions">
            <button type="submit">Use it and connect</button>
          </div>
        </form>
      </details>
    </section>
  )
}

function SignIn({ server, connection, onChanged }: ServerAccessProps) {
  const attempt = useStore(attempts).get(server.id)
  const [isBusy, setBusy] = useState(false)
  const challenge = connection?.state === 'failed' ? connection.refusal.challenge : undefined
  const find = async () => {
    setBusy(true)
    await findIssuers(server, challenge)
    setBusy(false)
  }
  return (
    <div class="server-sign-in" role="status">
      {attempt?.issuers === undefined && (
        <div class="actions">
          <button type="button" class="primary" aria-busy={isBusy} onClick={() => void find()}>
            Look for a sign-in
          </button>
        </div>
      )}
      {attempt?.issuers?.map((issuer) => (
        <div class="actions" key={issuer}>
          <button
            type="button"
            class="primary"
            aria-busy={attempt.isWaiting}
            onClick={() => void signInTo(server, issuer, onChanged)}
          >
            Sign in with {nameOf(issuer)}
          </button>
        </div>
      ))}
      {attempt?.isWaiting === true && (
        <p class="about">Continue in the window that has opened. This page waits for it.</p>
      )}
      {attempt !== undefined && attempt.problem !== '' && (
        <p class="problem" role="alert">
          {attempt.problem}
        </p>
      )}
    </div>
  )
}

/** Connects an MCP client to this gateway: what to paste where, with its address and authentication. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useKept } from '../kept-state.ts'
import { CodeBlock } from '../markdown/code-block.tsx'
import { session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import { type Authentication, type ClientGuide, guides, SIGNS_IN } from './client-guides.ts'
import type { Route } from '../route.ts'
import './connect.css'

export function ConnectView({ of }: Pick<Route, 'of'>) {
  const { state, issuers } = useStore(session)
  const isOpen = state === 'open' || state === 'asking'
  const [usesKey, setUsesKey] = useKept('connect.key', () => false)
  const hasSignIn = !isOpen && issuers.length > 0
  const authentication: Authentication = isOpen ? 'none' : hasSignIn && !usesKey ? 'sign-in' : 'key'
  const all = guides({ origin: location.origin, authentication })
  const shown = authentication === 'sign-in' ? all.filter(({ id }) => SIGNS_IN.has(id)) : all
  const chosen = shown.find(({ id }) => id === of) ?? shown[0]
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Connect a client</h1>
      </header>
      <p class="connect-lead">
        Every MCP client uses the same address. Choose yours, and paste what is shown.
      </p>
      <Address />
      <Note isOpen={isOpen} />
      {hasSignIn && (
        <fieldset class="connect-auth">
          <legend>How the client authenticates</legend>
          <label class="check">
            <input
              type="radio"
              name="auth"
              checked={!usesKey}
              onChange={() => setUsesKey(() => false)}
            />
            You sign in when the client asks
          </label>
          <label class="check">
            <input
              type="radio"
              name="auth"
              checked={usesKey}
              onChange={() => setUsesKey(() => true)}
            />
            An API key
          </label>
        </fieldset>
      )}
      {chosen && <Tabs all={shown} chosen={chosen} />}
      {authentication === 'key' && (
        <p class="about">
          Replace KEY by an API key. An operator makes one with <code>npx ftl key new</code>.
        </p>
      )}
    </>
  )
}

function Address() {
  return (
    <div class="connect-address">
      <CodeBlock language="address" code={`${location.origin}/mcp`} />
    </div>
  )
}

function Note({ isOpen }: { isOpen: boolean }) {
  const isLocal = /^(([\w-]+\.)*localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)
  if (isOpen && !isLocal) {
    return (
      <p class="notice">
        This gateway requires no authentication: every program that can reach it can call every
        tool.
      </p>
    )
  }
  if (!isOpen) return null
  return (
    <p class="about">
      This address works on this machine only, and requires no authentication. Clients that run
      elsewhere, such as claude.ai and ChatGPT, need a gateway with an https address.
    </p>
  )
}

interface TabsProps {
  all: readonly ClientGuide[]
  chosen: ClientGuide
}

/** @see https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
function Tabs({ all, chosen }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const [isMoved, setMoved] = useState(0)
  useEffect(() => {
    if (isMoved > 0) list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  }, [isMoved, chosen.id])
  const choose = (id: string | undefined) => {
    if (id === undefined) return
    history.replaceState(null, '', `#/connect/${id}`)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  const press = (event: KeyboardEvent) => {
    const at = all.indexOf(chosen)
    const targets: Record<string, number> = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    choose(all[target]?.id)
    setMoved((count) => count + 1)
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Client" ref={list} onKeyDown={press}>
        {all.map(({ id, name }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`client-${id}`}
            aria-selected={id === chosen.id}
            aria-controls="client-guide"
            tabIndex={id === chosen.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <section
        id="client-guide"
        class="connect-guide"
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={`client-${chosen.id}`}
      >
        {chosen.install !== undefined && (
          <p>
            <a class="button" href={chosen.install}>
              Add to {chosen.name}
            </a>
          </p>
        )}
        {chosen.snippets.map(({ lead, language, code }) => (
          <div class="connect-step" key={lead}>
            <p>{lead}</p>
            <CodeBlock language={language} code={code} />
          </div>
        ))}
      </section>
    </>
  )
}

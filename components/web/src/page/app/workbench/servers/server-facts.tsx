/** The protocol that was negotiated, and what the server offers and does not offer. */
import { asRecord, text } from '../../net/api.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import type { Facts } from '../mcp/connection.ts'

export function ServerFacts({ facts }: { facts: Facts }) {
  const { revision, isModern, hasSession, server, capabilities } = facts
  const name = text(server['title']) ?? text(server['name']) ?? ''
  const version = text(server['version']) ?? ''
  const about = text(server['description']) ?? ''
  const extensions = Object.keys(asRecord(capabilities['extensions'])).slice(0, 50)
  const rows: [string, string][] = [
    ['Name', plainWords(name) || 'not given'],
    ['Version', plainWords(version) || 'not given'],
    ['Protocol', revision],
    [
      'Connection',
      isModern
        ? 'each request by itself'
        : hasSession
          ? 'handshake, with a session'
          : 'handshake, without a session',
    ],
  ]
  return (
    <>
      {about !== '' && <p class="about said">{about.slice(0, 2_000)}</p>}
      <dl class="facts">
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section class="server-part" aria-labelledby="server-offers">
        <h3 id="server-offers">What it offers</h3>
        <ul class="offered">
          {offered(capabilities, isModern).map(({ name, isOffered, note }) => (
            <li key={name} data-offered={isOffered}>
              <span aria-hidden="true">{isOffered ? '✓' : '–'}</span>
              <span>
                {name}
                <span class="unseen">{isOffered ? ': offered' : ': not offered'}</span>
                {note !== '' && <span class="faint"> {note}</span>}
              </span>
            </li>
          ))}
          {extensions.map((extension) => (
            <li key={extension} data-offered>
              <span aria-hidden="true">✓</span>
              <span>
                <code>{plainWords(extension)}</code> <span class="faint">extension</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

interface Offered {
  name: string
  isOffered: boolean
  note: string
}

function offered(capabilities: Facts['capabilities'], isModern: boolean): Offered[] {
  const has = (name: string) => capabilities[name] !== undefined
  const list = (name: string) =>
    has(name) && asRecord(capabilities[name])['listChanged'] === true
      ? 'reports changes of the list'
      : ''
  return [
    { name: 'Tools', isOffered: has('tools'), note: list('tools') },
    { name: 'Prompts', isOffered: has('prompts'), note: list('prompts') },
    { name: 'Resources', isOffered: has('resources'), note: list('resources') },
    {
      name: 'Subscriptions to resources',
      isOffered: asRecord(capabilities['resources'])['subscribe'] === true,
      note: '',
    },
    { name: 'Completion of arguments', isOffered: has('completions'), note: '' },
    {
      name: 'Log messages',
      isOffered: has('logging'),
      note: isModern && has('logging') ? 'with the requests that ask for them' : '',
    },
  ]
}

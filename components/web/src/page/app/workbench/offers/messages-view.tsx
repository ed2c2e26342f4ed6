/** The messages that a prompt gives. */
import { asArray, asRecord, text } from '../../net/api.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import { RichResult } from '../result/rich-result.tsx'
import { ContentView, Words } from './contents-view.tsx'

const MOST = 200

export function MessagesView({ result }: { result: unknown }) {
  const { messages, description } = asRecord(result)
  const list = asArray(messages)
  return (
    <div class="messages">
      {typeof description === 'string' && description !== '' && (
        <p class="about said">{description}</p>
      )}
      {list.length === 0 && <p class="faint">The prompt gives no messages.</p>}
      {list.slice(0, MOST).map((message, index) => {
        const { role, content } = asRecord(message)
        const who = plainWords(text(role) ?? '') || 'no role'
        return (
          <section key={index} class="message-part" aria-label={`Message ${index + 1}, ${who}`}>
            <h3 class="badge" data-state={who === 'user' ? 'ok' : ''}>
              {who}
            </h3>
            {/* Revisions before this one had one content in a message; some servers send a list. */}
            {(Array.isArray(content) ? asArray(content) : [content]).map((part, at) => (
              <Part key={at} content={part} />
            ))}
          </section>
        )
      })}
      {list.length > MOST && <p class="about">{list.length - MOST} more messages are not shown.</p>}
    </div>
  )
}

function Part({ content }: { content: unknown }) {
  const { type, resource, uri, title, name, text: words } = asRecord(content)
  if (type === 'text' && typeof words === 'string') return <Words words={words} type="" />
  if (type === 'resource') return <ContentView content={resource} />
  if (type === 'resource_link' && typeof uri === 'string' && uri.length <= 4_000) {
    return (
      <p>
        <a href={`#/resources/${encodeURIComponent(uri.toWellFormed())}`}>
          {plainWords(text(title) ?? text(name) ?? uri)}
        </a>{' '}
        <code class="faint">{plainWords(uri)}</code>
      </p>
    )
  }
  return <RichResult result={{ content: [content] }} />
}

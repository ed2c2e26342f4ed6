/** The conversation, and where it goes on. */
import { useEffect, useRef } from 'preact/hooks'
import { LoadedForm } from '../form/loaded-form.tsx'
import { Icon } from '../icons.tsx'
import { catalog, loadTools, type Tool, wordsOf } from '../net/tools.ts'
import { forgetKept, useKept } from '../kept.ts'
import { needsSignIn, session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import type { Attachment } from './attachments.ts'
import { Answering } from './answering.tsx'
import { Composer } from './composer.tsx'
import { conversation, currentChat, newConversation } from './conversation.ts'
import { StorageNotice } from './storage-notice.tsx'
import { useFollowEnd } from './follow-end.ts'
import { activityOf, endOf, MessageView } from './message-view.tsx'
import { ask } from './send.ts'
import { model } from './settings.ts'
import { callInChat, readCommand } from './slash.ts'

/** The form that a slash command has opened. */
interface Opened {
  tool: Tool
  args: Record<string, unknown>
}

interface ChatViewProps {
  /** The list of conversations is shown. */
  hasList: boolean
  onList: () => void
}

export function ChatView({ hasList, onList }: ChatViewProps) {
  const { messages, status, busy, conversationId } = useStore(conversation)
  const { state, name, words } = useStore(model)
  const isShut = needsSignIn(useStore(session))
  const [opened, setOpened] = useKept<Opened | undefined>('chat.opened', () => undefined)
  const { isAway, toEnd, ref: growing } = useFollowEnd()
  const dock = useRef<HTMLDivElement>(null)
  const last = messages.at(-1)
  const isOpen = last?.state === 'streaming'

  // One's own message comes into view, wherever one has read.
  const own = messages.findLast(({ role }) => role === 'user')?.id
  useEffect(() => (own === undefined ? undefined : toEnd()), [own, conversationId])

  // The focus was in the form that goes.
  const close = () => {
    if (opened) forgetKept(`chat.${opened.tool.name}.typed`)
    setOpened(() => undefined)
    dock.current?.querySelector<HTMLElement>('.composer textarea')?.focus()
  }
  const run = async (tool: Tool, args: Record<string, unknown>) => {
    await callInChat(tool.name, args)
    close()
  }
  /** @returns whether it was sent. */
  const send = async (text: string, attachments: readonly Attachment[]): Promise<boolean> => {
    let command = readCommand(text)
    if (command && 'unknown' in command) {
      // It may be there since the list was read.
      await loadTools()
      command = readCommand(text)
    }
    if (command && 'unknown' in command) {
      addFailed(text, 'tool_not_found', `There is no tool "${command.unknown}".`)
    } else if (command?.isComplete) {
      await run(command.tool, command.args).catch((error: unknown) => {
        setOpened(() => command)
        addFailed(undefined, 'failed', wordsOf(error))
      })
    } else if (command) setOpened(() => command)
    else if (state === 'none' && !isShut) {
      addFailed(text, 'no_model', words || 'No model is connected.')
    } else return ask(text, attachments)
    return true
  }

  return (
    <div class="chat">
      <header class="view-head">
        <button
          type="button"
          class="bare"
          aria-label="Conversations"
          aria-expanded={hasList}
          title={hasList ? 'Hide the conversations' : 'Show the conversations'}
          onClick={onList}
        >
          <Icon name="panel" />
        </button>
        <h1 tabIndex={-1} class="grow">
          Chat
        </h1>
        {messages.length > 0 && (
          <button type="button" class="small" onClick={() => void newConversation()}>
            <Icon name="plus" /> New
          </button>
        )}
      </header>
      <StorageNotice />
      {messages.length === 0 && !isShut && (
        <Welcome
          {...{ state, name, words }}
          onChoose={(tool) => setOpened(() => ({ tool, args: {} }))}
        />
      )}
      <div class="messages" ref={growing}>
        {messages.map((message) => (
          <MessageView
            key={message.id}
            message={message}
            status={
              message.state !== 'streaming'
                ? undefined
                : isShut
                  ? 'Waiting for your sign-in'
                  : status?.message
            }
          />
        ))}
      </div>
      <p class="unseen" role="status" aria-live="polite">
        {isOpen && activityOf(last, status?.message)}
        {!isOpen && last?.role === 'assistant' && endOf(last)}
      </p>
      <div class="end" />
      <div class="dock" ref={dock}>
        {isAway && (
          <button type="button" class="small jump" onClick={toEnd}>
            <Icon name="down" /> Jump to latest
          </button>
        )}
        <Answering />
        {opened && (
          <section class="card opened" aria-label={`Arguments of ${opened.tool.name}`}>
            <h2>{opened.tool.title}</h2>
            <LoadedForm
              key={opened.tool.name}
              tool={opened.tool}
              args={opened.args}
              keep={`chat.${opened.tool.name}`}
              action="Run"
              takesFocus
              onSubmit={(args) => run(opened.tool, args)}
              onCancel={close}
            />
          </section>
        )}
        <Composer
          isBusy={busy}
          placeholder={
            isShut
              ? 'Write a message'
              : state === 'ready'
                ? 'Ask, or type / for a tool'
                : 'Type / for a tool'
          }
          onSend={send}
          onStop={() => currentChat().cancel()}
        />
      </div>
    </div>
  )
}

/** Shows why nothing was sent. */
function addFailed(text: string | undefined, code: string, message: string): void {
  const chat = currentChat()
  if (text !== undefined) chat.add({ role: 'user', content: text })
  chat.add({ role: 'assistant', state: 'failed', error: { code, message } })
}

interface WelcomeProps {
  state: string
  name: string
  words: string
  onChoose: (tool: Tool) => void
}

const SHOWN = 6
const HOW = 'Set the variables llm_url and llm_model, for example to those of an Ollama.'

function Welcome({ state, name, words, onChoose }: WelcomeProps) {
  const { tools, loading, problem } = useStore(catalog)
  return (
    <section class="welcome" aria-label="Where to begin">
      <p class="lead">What shall we make?</p>
      {state === 'ready' && (
        <p class="about">You are talking to {name || 'a model'}. It can use every tool here.</p>
      )}
      {state === 'none' && (
        <p class="notice">
          <b>No model is connected.</b> {words || HOW} Every tool works without one: choose it
          below, or type / and its name.
        </p>
      )}
      {state === 'unreachable' && <p class="notice">The chat cannot be reached at the moment.</p>}
      {problem !== '' && <p class="problem">{problem}</p>}
      <ul class="starts">
        {tools.slice(0, SHOWN).map((tool) => (
          <li key={tool.name}>
            <button type="button" class="start" onClick={() => onChoose(tool)}>
              <b>{tool.title}</b>
              <span class="faint">{tool.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {!loading && tools.length === 0 && problem === '' && (
        <p class="about">
          There are no tools yet. Name components in the variable tool_components.
        </p>
      )}
    </section>
  )
}

/** The conversation, and where it goes on. */
import { useEffect, useRef } from 'preact/hooks'
import { LoadedForm } from '../form/loaded-form.tsx'
import { choose, chosenCall, mode } from '../create/chosen.ts'
import { imageToolOf, upscaleToolOf } from '../create/image-tool.ts'
import { useLoaded } from '../frame/loaded.ts'
import { Icon } from '../icons.tsx'
import { catalog, loadTools, type Tool, wordsOf } from '../net/tools.ts'
import { forgetKept, useKept } from '../kept-state.ts'
import { needsSignIn, session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import type { Attachment } from './attachments.ts'
import { Answering } from './answering.tsx'
import { Composer } from './composer.tsx'
import { conversation, currentChat, newConversation } from './tab-conversations.ts'
import { StorageNotice } from './storage-notice.tsx'
import { useFollowEnd } from './follow-end.ts'
import { activityOf, endOf, MessageView } from './message-view.tsx'
import { replaced, takeBack, takeFrom } from './resend.ts'
import { ask } from './send.ts'
import { loadModel, model } from './settings.ts'
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
  /** The column of pictures is shown. */
  hasPictures: boolean
  /** Absent while the conversation has no pictures. */
  onPictures: (() => void) | undefined
}

export function ChatView({ hasList, onList, hasPictures, onPictures }: ChatViewProps) {
  const { messages, status, busy, conversationId } = useStore(conversation)
  const { state, name, words } = useStore(model)
  const isShut = needsSignIn(useStore(session))
  const [opened, setOpened] = useKept<Opened | undefined>('chat.opened', () => undefined)
  const { isAway, toEnd, ref: growing } = useFollowEnd(messages.length === 0)
  const dock = useRef<HTMLDivElement>(null)
  const { tools } = useStore(catalog)
  const hasImages = imageToolOf(tools) !== undefined
  const draws = useStore(mode).draws || (state === 'none' && hasImages)
  const { part: Controls } = useLoaded(hasImages ? loadControls : undefined)
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
    // An early message waits for what the page does not know yet.
    let command = readCommand(text)
    if (model.get().state === 'asking' && !isShut) await loadModel()
    const hasNone = model.get().state === 'none' && !isShut
    const isDrawn = hasNone || (mode.get().draws && !isShut)
    let image = chosenCall()
    if ((command && 'unknown' in command) || (isDrawn && !image)) {
      // It may be there since the list was read, which may not have arrived.
      await loadTools()
      command = readCommand(text)
      image = chosenCall()
    }
    if (command && 'unknown' in command) {
      addFailed(text, 'tool_not_found', `There is no tool "${command.unknown}".`)
    } else if (command?.isComplete) {
      await run(command.tool, withChosen(command.tool, command.args)).catch((error: unknown) => {
        setOpened(() => command)
        addFailed(undefined, 'failed', wordsOf(error))
      })
    } else if (command) setOpened(() => command)
    else if (image && isDrawn) {
      return drawAtOnce(image, text, attachments)
    } else if (hasNone) {
      addFailed(text, 'no_model', model.get().words || 'No model is connected.')
      // Another early message went first: it would end that one's answer.
    } else return !conversation.get().busy && ask(text, attachments)
    return true
  }

  // The same function in each render: messages are drawn again only when they change.
  const sendAgain = (id: string, text: string) => {
    takeFrom(id)
    void send(text, [])
  }
  const latest = useRef(sendAgain)
  latest.current = sendAgain
  const resend = useRef((id: string, text: string) => latest.current(id, text))
  const replacement = useStore(replaced)
  const isReplaced = replacement?.chat === currentChat()

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
        {onPictures && (
          <button
            type="button"
            class="bare"
            aria-label="Pictures"
            aria-expanded={hasPictures}
            title={hasPictures ? 'Hide the pictures' : 'Show the pictures'}
            onClick={onPictures}
          >
            <Icon name="gallery" />
          </button>
        )}
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
          onExample={(example) => void send(example, [])}
        />
      )}
      <div class="messages" ref={growing}>
        {messages.map((message) => (
          <MessageView
            key={message.id}
            message={message}
            isLast={message === last && !busy}
            onResend={resend.current}
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
        {isReplaced && !busy && (
          <p class="notice line undo-row" role="status">
            <span class="grow">
              {replacement.messages.length === 1
                ? '1 message was replaced.'
                : `${replacement.messages.length} messages were replaced.`}
            </span>
            <button type="button" class="small" onClick={takeBack}>
              Undo
            </button>
            <button
              type="button"
              class="bare small"
              aria-label="Keep the new ones"
              onClick={() => replaced.set(() => undefined)}
            >
              <Icon name="close" />
            </button>
          </p>
        )}
        {opened && (
          <section class="card opened" aria-label={`Arguments of ${opened.tool.name}`}>
            <h2>{opened.tool.title}</h2>
            <LoadedForm
              key={opened.tool.name}
              tool={opened.tool}
              args={opened.args}
              keep={`chat.${opened.tool.name}`}
              action="Run"
              mayUpload
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
              : draws
                ? 'Describe a picture, or type /'
                : state === 'ready'
                  ? 'Ask, or type / for a tool'
                  : 'Type / for a tool'
          }
          onSend={send}
          onStop={() => currentChat().cancel()}
        />
        {Controls && hasImages && <Controls />}
      </div>
    </div>
  )
}

const loadControls = async () => (await import('../create/control-chips.tsx')).ControlChips

/** What is typed after the tool's name counts more than what is chosen. */
function withChosen(tool: Tool, args: Record<string, unknown>): Record<string, unknown> {
  const image = chosenCall()
  return image?.tool.name === tool.name ? { ...image.args, ...args } : args
}

/** Sends the words to the image tool. @returns whether they were sent. */
async function drawAtOnce(
  { tool, args }: NonNullable<ReturnType<typeof chosenCall>>,
  prompt: string,
  attachments: readonly Attachment[],
): Promise<boolean> {
  if (prompt === '') return false
  const picture = attachments.find(({ mimeType }) => mimeType.startsWith('image/'))
  if (picture && args['image'] === undefined) {
    const { mimeType, data, url } = picture
    choose('image', data === undefined ? url : `data:${mimeType};base64,${data}`)
    return drawAtOnce(chosenCall() ?? { tool, args }, prompt, [])
  }
  try {
    await callInChat(tool.name, { ...args, prompt }, prompt)
    return true
  } catch (error) {
    addFailed(undefined, 'failed', wordsOf(error))
    return false
  }
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
  onExample: (words: string) => void
}

const SHOWN = 6
const EXAMPLES = [
  'A lighthouse at dusk, with waves against the rocks',
  'A quiet village under snow, seen from the hill',
  'A red fox asleep among ferns, in morning light',
  'A harbour at night, lanterns on the water',
]

/** What makes pictures comes first; what answers with its own words is for authors. */
function picturesFirst(tools: readonly Tool[]): Tool[] {
  const image = imageToolOf(tools)
  const rank = (tool: Tool) => (tool === image ? 0 : tool === upscaleToolOf(tools) ? 1 : 2)
  return tools.filter(({ name }) => name !== 'echo').sort((a, b) => rank(a) - rank(b))
}
const HOW = 'Set the variables llm_url and llm_model, for example to those of an Ollama.'

function Welcome({ state, name, words, onChoose, onExample }: WelcomeProps) {
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
      {imageToolOf(tools) && (
        <ul class="examples" aria-label="Pictures to begin with">
          {EXAMPLES.map((words) => (
            <li key={words}>
              <button type="button" class="example" onClick={() => onExample(words)}>
                {words}
              </button>
            </li>
          ))}
        </ul>
      )}
      <ul class="starts">
        {picturesFirst(tools)
          .slice(0, SHOWN)
          .map((tool) => (
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
          This gateway has no tools yet: name their components in the variable tool_components.
        </p>
      )}
    </section>
  )
}

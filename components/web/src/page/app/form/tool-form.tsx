/** A form for a tool, made from its schema. */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { useKept } from '../kept-state.ts'
import { ApiError, type FieldProblem } from '../net/api.ts'
import { type Tool, wordsOf } from '../net/tools.ts'
import { keepArguments } from './kept-arguments.ts'
import { type Complete, idOf } from './form-context.ts'
import { KeptMenu } from './kept-menu.tsx'
import { checked, fieldPath } from './schema/check.ts'
import { initial } from './schema/initial.ts'
import { type Json, Unreadable } from './schema/values.ts'
import { SchemaForm } from './schema-form.tsx'
import './form.css'

export interface ToolFormProps {
  tool: Tool
  /** To begin with. @default the schema's defaults */
  args?: Record<string, unknown> | undefined
  action: string
  /** What it throws is shown, at the fields where it says which. */
  onSubmit: (args: Record<string, unknown>, signal: AbortSignal) => Promise<void>
  onCancel?: () => void
  /** Makes a link to the form with what is typed. */
  onLink?: (args: Record<string, unknown>) => void
  /** Receives the arguments whenever they change. */
  onArguments?: (args: Record<string, unknown>) => void
  complete?: Complete
  /** Whether its tool is one of this gateway, which large files are sent to. @default false */
  mayUpload?: boolean
  /** Name that arguments are remembered under in this browser; empty to remember none. @default the tool's */
  remember?: string
  /** Under this key, what was typed is kept while the user is elsewhere on the page. */
  keep: string
  /** Whether the first field takes the focus. */
  takesFocus?: boolean
}

/** Fields shown at once; the rest waits behind a line. */
const SHOWN_AT_ONCE = 6

export function ToolForm(props: ToolFormProps) {
  const { tool, args, action, keep, onSubmit, onCancel, onLink, onArguments, complete } = props
  const { remember = tool.name, mayUpload = false } = props
  const schema: Json = tool.inputSchema
  const form = useId()
  const element = useRef<HTMLFormElement>(null)
  const [value, setValue] = useKept<unknown>(`${keep}.typed`, () =>
    initial(schema, schema, { given: args, required: true }),
  )
  const [isJson, setJson] = useKept(`${keep}.json`, () => false)
  /** Rules are shown as broken once the form was sent, and go when they are kept again. */
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState('')
  const [running, setRunning] = useState<AbortController>()
  const [calls, setCalls] = useState(0)
  const [attempts, setAttempts] = useState(0)
  const found = useMemo(() => checked(schema, value), [schema, value])
  const problems = useMemo(
    () => (isTried ? [...found.problems, ...refused] : refused),
    [isTried, found, refused],
  )

  useEffect(() => onArguments?.(found.args), [found])
  useEffect(() => {
    if (!props.takesFocus) return
    element.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [props.takesFocus])
  useEffect(() => {
    if (attempts > 0) toFirstProblem(element.current)
  }, [attempts])

  const change = (next: unknown) => {
    setValue(() => next)
    // The server has said it of what was there before.
    setRefused([])
    setFailure('')
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (running) return
    if (element.current?.querySelector('[data-sending]')) {
      return setFailure('Wait until the file has been sent.')
    }
    setTried(true)
    setFailure('')
    setRefused([])
    if (value instanceof Unreadable || found.problems.length > 0) {
      return setAttempts((count) => count + 1)
    }
    const controller = new AbortController()
    setRunning(controller)
    try {
      if (remember !== '') keepArguments(remember, schema, found.args)
      setCalls((count) => count + 1)
      await onSubmit(found.args, controller.signal)
      setTried(false)
    } catch (error) {
      const said = error instanceof ApiError ? error.problems : []
      if (said.length > 0) {
        setRefused(said.map(({ path, message }) => ({ path: fieldPath(path), message })))
        setAttempts((count) => count + 1)
      } else if (controller.signal.aborted) setFailure('Stopped.')
      else setFailure(wordsOf(error))
    }
    setRunning(undefined)
  }

  return (
    <form
      class="tool-form"
      ref={element}
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event)
      }}
    >
      <div class="form-head">
        <div class="switch" role="group" aria-label="Arguments as">
          <button
            type="button"
            aria-pressed={!isJson}
            onClick={() => value instanceof Unreadable || setJson(() => false)}
          >
            Form
          </button>
          <button type="button" aria-pressed={isJson} onClick={() => setJson(() => true)}>
            JSON
          </button>
        </div>
        {remember !== '' && (
          <KeptMenu
            tool={remember}
            schema={schema}
            version={calls}
            current={() => found.args}
            onUse={(kept) => change(initial(schema, schema, { given: kept, required: true }))}
          />
        )}
      </div>
      <SchemaForm
        id={form}
        atOnce={SHOWN_AT_ONCE}
        {...{ schema, value, problems, isJson, mayUpload }}
        {...(complete && { complete })}
        onChange={change}
      />
      <Problems form={form} problems={problems} element={element.current} />
      {failure !== '' && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <button class="primary" type="submit" aria-busy={running !== undefined} title="Ctrl+Enter">
          {running ? 'Running…' : action}
        </button>
        {running && (
          <button type="button" onClick={() => running.abort()}>
            <Icon name="stop" /> Stop
          </button>
        )}
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Close
          </button>
        )}
        {onLink && (
          <button type="button" class="bare" onClick={() => onLink(found.args)}>
            <Icon name="link" /> Copy link
          </button>
        )}
      </div>
    </form>
  )
}

interface ProblemsProps {
  form: string
  problems: readonly FieldProblem[]
  element: HTMLFormElement | null
}

const MOST_SHOWN = 20

/** All that is wrong, with the way to each field. */
function Problems({ form, problems, element }: ProblemsProps) {
  if (problems.length === 0) return null
  const focus = (path: string) => {
    const field = document.getElementById(idOf(form, path))
    field?.closest('details')?.setAttribute('open', '')
    const target = field ?? element?.querySelector<HTMLElement>('textarea, input')
    target?.focus()
  }
  return (
    <section class="problems" role="alert" aria-label="What is wrong">
      <p>
        {problems.length === 1
          ? 'One argument is wrong:'
          : `${problems.length} arguments are wrong:`}
      </p>
      <ul>
        {problems.slice(0, MOST_SHOWN).map(({ path, message }, index) => (
          <li key={index}>
            <button type="button" class="linkish" onClick={() => focus(path)}>
              {path || 'The arguments'}
            </button>{' '}
            {message}
          </li>
        ))}
      </ul>
    </section>
  )
}

function toFirstProblem(element: HTMLElement | null): void {
  const wrong = element?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')
  for (let at = wrong?.closest('details'); at; at = at.parentElement?.closest('details')) {
    at.setAttribute('open', '')
  }
  wrong?.focus()
}

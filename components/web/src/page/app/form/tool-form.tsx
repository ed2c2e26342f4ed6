/** A form for a tool, made from its schema. */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { useKept } from '../kept.ts'
import { ApiError, type FieldProblem } from '../net/api.ts'
import { type Tool, wordsOf } from '../net/tools.ts'
import { argumentsOf, fieldsOf, problemOf, type Typed, typedFrom } from './fields.ts'
import { FieldView } from './field-view.tsx'

export interface ToolFormProps {
  tool: Tool
  /** To begin with. @default the schema's defaults */
  args?: Record<string, unknown> | undefined
  action: string
  /** What it throws is shown, at the fields where it says which. */
  onSubmit: (args: Record<string, unknown>) => Promise<void>
  onCancel?: () => void
  /** Makes a link to the form with what is typed. */
  onLink?: (args: Record<string, unknown>) => void
  /** Under this key, what was typed is kept while the user is elsewhere on the page. */
  keep: string
  /** Whether the first field takes the focus. */
  takesFocus?: boolean
}

/** Fields shown at once; the rest waits behind a line. */
const SHOWN_AT_ONCE = 4

export function ToolForm(props: ToolFormProps) {
  const { tool, args, action, keep, onSubmit, onCancel, onLink, takesFocus } = props
  const form = useId()
  const element = useRef<HTMLFormElement>(null)
  const fields = useMemo(() => fieldsOf(tool.inputSchema), [tool])
  const [typed, setTyped] = useKept<Typed>(`${keep}.typed`, () => typedFrom(fields, args))
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    if (takesFocus) element.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [takesFocus])
  useEffect(() => {
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong && problems.length > 0) {
      wrong.closest('details')?.setAttribute('open', '')
      wrong.focus()
    }
  }, [problems])

  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    const { args: ready, problems: found } = argumentsOf(fields, typed)
    setProblems(found)
    setFailure('')
    if (found.length > 0) return
    setBusy(true)
    try {
      await onSubmit(ready)
    } catch (error) {
      const refused = error instanceof ApiError ? error.problems : []
      setProblems(refused)
      const isPlaced = refused.some((problem) =>
        fields.some(({ name }) => problemOf(name, [problem]) !== undefined),
      )
      if (!isPlaced) setFailure(wordsOf(error))
    }
    setBusy(false)
  }

  const view = (field: (typeof fields)[number]) => (
    <FieldView
      key={field.name}
      {...{ field, form }}
      value={typed[field.name]}
      problem={problemOf(field.name, problems)}
      onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
    />
  )
  const needed = fields.filter((field) => field.required).length
  const atOnce = Math.max(needed, SHOWN_AT_ONCE)
  const rest = fields.slice(atOnce)
  return (
    <form class="tool-form" ref={element} onSubmit={(event) => void submit(event)} noValidate>
      {fields.slice(0, atOnce).map(view)}
      {rest.length > 0 && (
        <details class="more">
          <summary>
            {rest.length} more {rest.length === 1 ? 'setting' : 'settings'}
          </summary>
          {rest.map(view)}
        </details>
      )}
      {fields.length === 0 && <p class="about">It takes no arguments.</p>}
      {failure !== '' && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <button class="primary" type="submit" aria-busy={isBusy}>
          {isBusy ? 'Calling…' : action}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Close
          </button>
        )}
        {onLink && (
          <button
            type="button"
            class="bare"
            onClick={() => onLink(argumentsOf(fields, typed).args)}
          >
            <Icon name="link" /> Copy link
          </button>
        )}
      </div>
    </form>
  )
}

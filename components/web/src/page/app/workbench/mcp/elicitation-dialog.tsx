/** A server's question, as a form. What it says is its own words, and never looks like the page's. */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { visible } from '../../approval/visible.ts'
import { checked } from '../../form/schema/check.ts'
import { initial } from '../../form/schema/initial.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { useStore } from '../../store.ts'
import { type Elicited, elicited } from './questions.ts'
import './elicitation.css'

export function ElicitationDialog() {
  const [first] = useStore(elicited)
  return first ? <Question key={first.number} asked={first} /> : null
}

function Question({ asked }: { asked: Elicited }) {
  const { message, schema, url, server } = asked
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [value, setValue] = useState<unknown>(() => initial(schema, schema, { required: true }))
  const [isTried, setTried] = useState(false)
  const found = useMemo(() => checked(schema, value), [schema, value])
  useEffect(() => dialog.current?.showModal(), [])
  // A dialog that is only removed gives the focus to nothing.
  const answer: Elicited['answer'] = (given) => {
    dialog.current?.close()
    asked.answer(given)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (found.problems.length === 0) answer({ action: 'accept', content: found.args as never })
  }
  const isAddress = /^https?:\/\//.test(url)
  return (
    <dialog
      class="elicitation"
      ref={dialog}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault()
        answer({ action: 'cancel' })
      }}
    >
      <form class="tool-form" noValidate onSubmit={submit}>
        <h2 id={`${id}-title`}>The server asks</h2>
        {server !== '' && (
          <p class="about">
            <b>{server}</b> is not this gateway. Give it nothing that it should not know.
          </p>
        )}
        <p class="said asked">{visible(message)}</p>
        {isAddress && (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {url}
          </a>
        )}
        <SchemaForm
          {...{ id, schema, value }}
          problems={isTried ? found.problems : []}
          isJson={false}
          onChange={setValue}
        />
        <div class="actions">
          <button type="submit" class="primary">
            Answer
          </button>
          <button type="button" onClick={() => answer({ action: 'decline' })}>
            Decline
          </button>
          <button type="button" onClick={() => answer({ action: 'cancel' })}>
            Not now
          </button>
        </div>
      </form>
    </dialog>
  )
}

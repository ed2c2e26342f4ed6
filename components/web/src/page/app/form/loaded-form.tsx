/** A tool's form, whose script is loaded when the first one is opened. */
import { useLoaded } from '../frame/loaded.ts'
import type { ToolFormProps } from './tool-form.tsx'

const load = async () => (await import('./tool-form.tsx')).ToolForm

export function LoadedForm(props: ToolFormProps) {
  const { part: Form, failures, retry } = useLoaded(load)
  if (Form) return <Form {...props} />
  if (failures === 0) return <p class="faint">Loading the form…</p>
  return (
    <p class="problem line" role="alert">
      <span class="grow">The form could not be loaded.</span>
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
    </p>
  )
}

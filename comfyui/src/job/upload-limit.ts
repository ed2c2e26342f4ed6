/** How large a file of `POST /uploads` may be, for the component that takes it and for those that tell callers. */
import type { ToolContext } from 'ftl-sdk'

type Variables = ToolContext['platform']['variables']

/** ComfyUI takes 100 MiB (`--max-upload-size`), the other fields of the form included. */
const DEFAULT_MAX_BYTES = 100_000_000

/** @returns bytes; `undefined` if the variable is not a number of bytes. */
export function uploadLimit(variables: Variables): number | undefined {
  const text = (variables.get('upload_max_bytes') ?? '').trim()
  if (text === '') return DEFAULT_MAX_BYTES
  const bytes = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return bytes > 0 ? bytes : undefined
}

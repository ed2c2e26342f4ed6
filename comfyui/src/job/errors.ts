/** A failure of ComfyUI as the failure of a job. */
import { ToolError } from 'ftl-sdk'
import type { ComfyError } from '../client/errors.ts'

/** Prefix of every failure's message: the arguments are valid, and the service failed. */
export const ERROR_PREFIX = 'Service error: '

/** @param error in the words of the tool: its message and `details.fields` are shown to the client. */
export function toToolError({ message, kind, details }: ComfyError): ToolError {
  const { fields, retryAfterMs } = details
  return new ToolError(message, {
    kind,
    ...(fields && { fields }),
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
  })
}

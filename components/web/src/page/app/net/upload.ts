/** Sends a file that is too large for the arguments of a call, and says how far it is. */
import { ApiError, asRecord, getJson, text } from './api.ts'
import { catalog } from './tools.ts'

/** Bytes. More than this no request to the gateway may have, base64 counted. */
export const LARGEST_INLINE = 2_500_000

/** What a component answers is given to a tool or to a model only if it is such an address. */
const ADDRESS = /^\/uploads\/[\w-]{1,200}$/

/** Whether one of the user's tools receives files by `POST /uploads`. */
export function takesUploads(): boolean {
  return catalog.get().tools.some(({ takesUploads: takes }) => takes)
}

/**
 * @param onSent receives how much has been sent, from 0 to 1.
 * @returns the address to give to a tool: `/uploads/…`.
 * @throws {ApiError}, or an `AbortError` once the signal is aborted.
 */
export async function upload(
  file: File,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const path = `/uploads?${new URLSearchParams({ name: file.name })}`
  // The server reads the type from the first bytes.
  const headers = { 'content-type': 'application/octet-stream' }
  const init = { method: 'POST', headers, body: file, signal, onSent }
  const uri = text(asRecord(await getJson(path, init, true))['uri'])
  if (uri === undefined || !ADDRESS.test(uri)) {
    throw new ApiError(0, 'no_address', 'The server did not say where the file is. Try again.')
  }
  return uri
}

/** As a person says it: `12.3 MB`. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

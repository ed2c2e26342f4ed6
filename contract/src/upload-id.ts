/** Files that callers send before a call: `POST /uploads` of the gateway, which the component receives as `POST /uploads/`. */

/** Path below which the component that received a file finds it again. */
export const UPLOADS_PATH = '/uploads/'

/** In `_meta` of a tool: `true`, if a caller who may use the tool may send files to its component. */
export const UPLOADS_KEY = 'ftl/uploads'

/** When it expires, in seconds since the epoch in base 36, and 122 random bits. */
const UPLOAD_ID = /^([0-9a-z]{6,8})-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Makes the id of an upload. @param uuid random: who knows the id, and is its owner, can use the file. */
export function uploadId(expiresMs: number, uuid: string): string {
  return `${Math.floor(expiresMs / 1000).toString(36)}-${uuid}`
}

/** Reads the id of an upload. @returns when it expires, in milliseconds since the epoch; `undefined` for what is not an id. */
export function parseUploadId(id: string): { expiresMs: number } | undefined {
  const [, seconds] = UPLOAD_ID.exec(id) ?? []
  return seconds === undefined ? undefined : { expiresMs: parseInt(seconds, 36) * 1000 }
}

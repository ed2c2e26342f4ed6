/** Limits of one client request, the same for every transport. */

/** Bytes of a request's body; the limit of the official SDK. */
export const REQUEST_LIMIT = 4 * 1024 * 1024
/** What a client does about it: only files in arguments are so large. */
export const LARGE_ADVICE =
  'the limit is 4 MiB. Send a file by POST /uploads or by its address, instead of as base64'

/** Messages or calls in one list: each may cost a component call, so one request must not ask for thousands. */
export const BATCH_LIMIT = 50

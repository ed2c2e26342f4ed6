/**
 * A file given as an argument: a data URL, a file made here, or one of an allowed host.
 *
 * A caller must not be able to make the component fetch what it likes (server-side request forgery): only https,
 * only hosts the operator named, no redirect.
 */
import { InvalidArguments, type ToolContext } from 'ftl-sdk'
import { OUTPUTS_PATH, parseOutputName } from 'ftl-contract'
import { readLimited, TooLarge } from '../client/read-limited.ts'
import { isUploadName } from '../client/upload.ts'
import { openAnyUpload, uploadIdIn } from './uploads-as-arguments.ts'

/** Where files are found by a name. */
export interface FileSources {
  output: OpenOutput
  /** Opens a file that `upload_image` or `upload_file` has uploaded. @default such names are refused */
  upload?: (name: string) => Promise<Response>
  /** Opens a file that was sent by `POST /uploads`, by its id. @default at the component that received it */
  sent?: (id: string) => Promise<Response>
}

/** Opens the file of a job, as `GET /outputs/{name}` does; 404 for what the caller may not see. */
export type OpenOutput = (name: string) => Promise<Response>

/** What is read. */
export interface Wanted {
  maxBytes: number
  /** For a foreign server. */
  accept: string
  /** A media type, for errors. */
  example: string
}

const DATA_URL = /^data:([^,]{0,200}),/
/** Milliseconds for a foreign server to send everything. */
const FETCH_LIMIT_MS = 10_000

export const NO_UPLOAD =
  'was not found; an upload expires after a day, and only its sender can use it'

/** Why a file cannot be used, in words that go on from the name of its argument. */
class Refusal extends Error {}

/**
 * @param argument its name, for errors.
 * @throws {InvalidArguments} in place of a refusal, with a message that begins with the argument.
 */
export async function named<T>(argument: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const why = error.message
    throw new InvalidArguments(why.startsWith(':') ? argument + why : `${argument}: it ${why}`)
  }
}

/** @throws {Refusal} */
export async function readBytes(
  source: string,
  context: ToolContext,
  { output: openOutput, upload: openUpload, sent: openSent }: FileSources,
  wanted: Wanted,
): Promise<Uint8Array<ArrayBuffer>> {
  if (source.startsWith('data:')) return fromDataUrl(source, wanted)
  const own = ownOutput(source)
  if (own !== undefined) {
    return fromResponse(
      await openOutput(own),
      'was not found; it may have expired or been deleted',
      wanted,
    )
  }
  if (source.startsWith(OUTPUTS_PATH)) {
    throw refuse('was not found: the name of a file here begins with the id of its job')
  }
  const id = uploadIdIn(source)
  if (id !== undefined) {
    const response = await (openSent?.(id) ?? openAnyUpload(id, context))
    return fromResponse(response, NO_UPLOAD, wanted)
  }
  if (openUpload && isUploadName(source)) {
    return fromResponse(
      await openUpload(source),
      'is not on a ComfyUI server; upload it again',
      wanted,
    )
  }
  const url = parseUrl(source)
  if (!url) {
    const more = openUpload ? ', or a name that upload_image returned' : ''
    throw refuse(`must be a data URL, /outputs/…, /uploads/… or an https address${more}`)
  }
  if (url.protocol !== 'https:') throw refuse('must be an https address')
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a password')
  if (!isAllowed(url, context.platform.variables.get('image_hosts'))) {
    throw refuse(`: "${url.host}" is not one of the hosts files are taken from`)
  }
  // Nothing of the caller goes along, and a redirect would lead around the list of hosts.
  const response = await withLimit(
    context.platform.fetch(url.href, { redirect: 'manual', headers: { accept: wanted.accept } }),
  )
  return fromResponse(response, `could not be fetched from "${url.host}"`, wanted)
}

/** The name of a file of ours: a path, or an address as a result shows it, whatever host a proxy gave it. */
function ownOutput(source: string): string | undefined {
  const path = source.startsWith(OUTPUTS_PATH) ? source : (parseUrl(source)?.pathname ?? '')
  const name = path.startsWith(OUTPUTS_PATH) ? path.slice(OUTPUTS_PATH.length) : ''
  return parseOutputName(name) && name
}

function fromDataUrl(source: string, { example, maxBytes }: Wanted): Uint8Array<ArrayBuffer> {
  const [head = '', about = ''] = DATA_URL.exec(source) ?? []
  if (head === '' || !/;\s*base64\s*$/i.test(about))
    throw refuse(`must be base64: data:${example};base64,…`)
  // Four characters are three bytes; checked before any memory is taken.
  if ((source.length - head.length) * 0.75 > maxBytes + 3) throw tooLarge(maxBytes)
  try {
    return fromBase64(source.slice(head.length))
  } catch {
    throw refuse('is not valid base64')
  }
}

const Native = Uint8Array as typeof Uint8Array & {
  fromBase64?: (text: string) => Uint8Array<ArrayBuffer>
}

/** The engine's own where it has one: without a JIT, the loop takes a good part of a second for a photo. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (Native.fromBase64) return Native.fromBase64(text)
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

async function fromResponse(
  response: Response,
  failure: string,
  { maxBytes }: Wanted,
): Promise<Uint8Array<ArrayBuffer>> {
  if (response.status !== 200) {
    await response.body?.cancel()
    throw refuse(failure)
  }
  try {
    return await withLimit(readLimited(response, maxBytes))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw error instanceof TooLarge ? tooLarge(maxBytes) : refuse(failure)
  }
}

/** Only stops waiting: a fetch whose response has begun must not be aborted in the components' engine. */
async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refuse('took too long to arrive')), FETCH_LIMIT_MS)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    throw error instanceof Refusal || error instanceof TooLarge
      ? error
      : refuse('could not be fetched')
  } finally {
    clearTimeout(timer)
  }
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function tooLarge(maxBytes: number): Refusal {
  return refuse(`is larger than ${maxBytes / 1024 / 1024} MB`)
}

export function refuse(why: string): Refusal {
  return new Refusal(why)
}

/**
 * Whether the operator allows files of this host.
 *
 * @param list `images.example, *.cdn.example, files.example:8443`; empty or absent: none. A name without a port means
 *   port 443. `*.cdn.example` does not mean `cdn.example` itself, and there is no entry for "every host".
 */
function isAllowed({ hostname, port }: URL, list: string | undefined): boolean {
  return (list ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .some((entry) => {
      const [, name = '', wanted = ''] = /^([^:]+|\[[^\]]+\])(?::(\d+))?$/.exec(entry) ?? []
      // "443" and no port are the same to a URL.
      if ((wanted === '443' ? '' : wanted) !== port) return false
      return name.startsWith('*.')
        ? name.length > 2 && hostname.endsWith(name.slice(1))
        : name !== '' && hostname === name
    })
}

/** multipart/form-data: https://andreubotella.github.io/multipart-form-data/, strict, with limits. */
import {
  indexOf,
  match,
  matches,
  replaceAll,
  split,
  subarray,
  substring,
  toLowerCase,
  trim,
  typedByteLength,
} from './primordials.js'
import { fromUtf8Whole, toUtf8 } from './host.js'
import { bytesOfBlobOrFile, concat, isBlob, makeFile } from './blob.js'
import { entriesOf, makeFormData } from './form-data.js'
import { MAX_FIELDS } from './urlencoded.js'

/** Bytes of the header lines of one part. */
const MAX_HEAD = 16_384

const toLines = (text) => replaceAll(text, /\r\n|\r|\n/g, '\r\n')
const escapes = { '\n': '%0A', '\r': '%0D', '"': '%22' }
const escapeName = (name) => replaceAll(name, /[\n\r"]/g, (character) => escapes[character])

/** @returns `{ bytes, type }`. */
export function encodeMultipart(form) {
  const boundary = `----form-data-${digits()}${digits()}`
  const pieces = []
  const list = entriesOf(form)
  for (let i = 0; i < list.length; i++) {
    const { name, value } = list[i]
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(toLines(name))}"`
    if (isBlob(value)) {
      const head = `; filename="${escapeName(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}`
      pieces.push(toUtf8(`${start}${head}\r\n\r\n`), bytesOfBlobOrFile(value), toUtf8('\r\n'))
    } else pieces.push(toUtf8(`${start}\r\n\r\n${toLines(value)}\r\n`))
  }
  pieces.push(toUtf8(`--${boundary}--\r\n`))
  return { bytes: concat(pieces), type: `multipart/form-data; boundary=${boundary}` }
}

const { floor } = Math
// A boundary must not be guessable for text that is part of the form.
const digits = () => floor((1 + Math.random()) * 1e15)

const broken = (what) => new TypeError(`The multipart/form-data body is not valid: ${what}`)

/** @throws TypeError when anything is not as it must be. Text before the first boundary is not allowed. */
export function parseMultipart(bytes, boundary) {
  if (boundary === undefined || !matches(/^[\x21-\x7e\x20]{1,70}$/, boundary)) {
    throw new TypeError(
      'The Content-Type multipart/form-data must have a boundary of 1 to 70 characters',
    )
  }
  const delimiter = toUtf8(`--${boundary}`)
  const separator = toUtf8(`\r\n--${boundary}`)
  const entries = []
  let at = startsWith(bytes, CRLF, 0) ? 2 : 0
  if (!startsWith(bytes, delimiter, at)) throw broken('it does not begin with its boundary')
  at += typedByteLength(delimiter)
  for (;;) {
    if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) {
      const rest = at + 2
      if (rest === bytes.length || (startsWith(bytes, CRLF, rest) && rest + 2 === bytes.length))
        return makeFormData(entries)
      throw broken('there are bytes after its end')
    }
    while (bytes[at] === 0x20 || bytes[at] === 0x09) at++
    if (!startsWith(bytes, CRLF, at)) throw broken('a boundary must be followed by a line break')
    if (entries.length === MAX_FIELDS)
      throw new TypeError(`A form must have at most ${MAX_FIELDS} fields`)
    at += 2
    const headEnd = find(bytes, BLANK_LINE, at - 2, at + MAX_HEAD)
    if (headEnd === -1)
      throw broken(`the head of part ${entries.length + 1} does not end within ${MAX_HEAD} bytes`)
    const head = headEnd < at ? '' : fromUtf8Whole(subarray(bytes, at, headEnd))
    const bodyStart = headEnd + 4
    const bodyEnd = find(bytes, separator, bodyStart, bytes.length)
    if (bodyEnd === -1) throw broken('its last boundary is missing')
    entries[entries.length] = toEntry(parseHead(head), subarray(bytes, bodyStart, bodyEnd))
    at = bodyEnd + typedByteLength(separator)
  }
}

function toEntry({ name, filename, type }, body) {
  if (filename === undefined) return { name, value: fromUtf8Whole(body) }
  return { name, value: makeFile(concat([body]), filename, type ?? 'text/plain', Date.now()) }
}

const DISPOSITION =
  /^form-data[\t ]*;[\t ]*name="([^"\r\n]*)"(?:[\t ]*;[\t ]*filename="([^"\r\n]*)")?(?:[\t ]*;[\t ]*filename\*=[^;\r\n]*)?[\t ]*;?[\t ]*$/i

function parseHead(head) {
  let disposition
  let type
  const lines = split(head, '\r\n')
  for (let i = 0; i < lines.length; i++) {
    const colon = indexOf(lines[i], ':')
    const name = colon === -1 ? '' : toLowerCase(substring(lines[i], 0, colon))
    if (!matches(/^[-!#$%&'*+.^_`|~0-9a-z]+$/, name)) throw broken('a header line has no name')
    const value = trim(substring(lines[i], colon + 1))
    if (matches(/[\r\n\0]/, value)) throw broken('a header line has a line break within it')
    if (name === 'content-disposition') {
      if (disposition !== undefined) throw broken('a part has two Content-Disposition headers')
      disposition = match(DISPOSITION, value)
      if (disposition === null)
        throw broken('a Content-Disposition must be form-data with a "name"')
    } else if (name === 'content-type') type = value
    else if (name === 'content-transfer-encoding' && !matches(/^(?:7bit|8bit|binary)$/i, value)) {
      throw broken('a Content-Transfer-Encoding that changes bytes is not supported')
    }
  }
  if (!disposition) throw broken('a part has no Content-Disposition')
  const filename = disposition[2]
  return {
    name: unescape(disposition[1]),
    filename: filename === undefined ? undefined : unescape(filename),
    type,
  }
}

const unescape = (text) =>
  replaceAll(text, /%0A|%0D|%22/gi, (code) =>
    code[2] === '2' ? '"' : code[2] === 'A' || code[2] === 'a' ? '\n' : '\r',
  )

const CRLF = new Uint8Array([13, 10])
const BLANK_LINE = new Uint8Array([13, 10, 13, 10])

function startsWith(bytes, part, at) {
  for (let i = 0; i < part.length; i++) if (bytes[at + i] !== part[i]) return false
  return true
}

const indexOfByte = Function.prototype.call.bind(
  Object.getPrototypeOf(Uint8Array.prototype).indexOf,
)

/** Where a part begins, before `end`; -1 when it is not there. The native search for its first byte makes it quick. */
function find(bytes, part, from, end) {
  for (
    let at = indexOfByte(bytes, part[0], from);
    at !== -1 && at < end;
    at = indexOfByte(bytes, part[0], at + 1)
  ) {
    if (startsWith(bytes, part, at)) return at
  }
  return -1
}

/** Which input a text gets. */
import { isSecret } from './secrets.ts'
import type { Json } from './values.ts'

export interface TextInput {
  type:
    | 'text'
    | 'date'
    | 'date-time'
    | 'time'
    | 'email'
    | 'url'
    | 'color'
    | 'password'
    | 'file'
    | 'picture'
  isLong: boolean
  /** How a file is written. */
  encoding: 'base64' | 'data-url' | 'text'
  /** Of files that can be chosen. */
  accept: string
  /** The tool takes the address of a file that was sent by itself; `always` if it takes no file in its arguments. */
  uploads?: 'large' | 'always'
}

/** Names of arguments that are rarely one line. */
const LONG =
  /prompt|text|message|description|content|body|script|query|code|instructions|markdown|html/i
const LONG_FROM = 200
const LONG_FORMATS = ['textarea', 'markdown', 'multi-line', 'html', 'code']
const PICTURE_FORMATS = 'image/png,image/jpeg,image/webp,image/gif'
const PICTURE = /(^|_)(image|picture|photo|mask)(_(url|data))?$/i

const TYPES = new Map<unknown, TextInput['type']>([
  ['date', 'date'],
  ['date-time', 'date-time'],
  ['time', 'time'],
  ['email', 'email'],
  ['idn-email', 'email'],
  ['uri', 'url'],
  ['url', 'url'],
  ['iri', 'url'],
  ['color', 'color'],
])

export function textInput(schema: Json, name: string): TextInput {
  const { format, contentEncoding, contentMediaType, description, maxLength } = schema
  const accept = typeof contentMediaType === 'string' ? contentMediaType : ''
  const made = (type: TextInput['type'], more: Partial<TextInput> = {}): TextInput => ({
    type,
    isLong: false,
    encoding: 'text',
    accept,
    ...more,
  })
  if (isSecret(schema)) return made('password')
  if (format === 'data-url')
    return made(/^image\//.test(accept) ? 'picture' : 'file', { encoding: 'data-url' })
  if (contentEncoding === 'base64' || format === 'byte' || format === 'binary') {
    return made('file', { encoding: 'base64' })
  }
  if (accept !== '') return made('file', { isLong: true })
  const uploaded = typeof description === 'string' && uploadedFile(description)
  if (uploaded && (format === undefined || format === 'uri')) return made(uploaded.type, uploaded)
  const isAboutPicture =
    typeof description === 'string' && /data URL|\/outputs\//i.test(description)
  if (
    (format === undefined || format === 'uri') &&
    PICTURE.test(name) &&
    (isAboutPicture || format === 'uri')
  ) {
    return made('picture', {
      encoding: 'data-url',
      accept: PICTURE_FORMATS,
    })
  }
  const type = TYPES.get(format)
  if (type) return made(type)
  const isShort = typeof maxLength === 'number' && maxLength < LONG_FROM
  const isLong =
    LONG_FORMATS.includes(String(format)) || (format === undefined && LONG.test(name) && !isShort)
  return made('text', { isLong })
}

/** What a browser offers for each kind of file that ComfyUI loads, by a format that the description names. */
const KINDS: readonly [RegExp, string][] = [
  [/\bPNG\b/, PICTURE_FORMATS],
  [/\bMP3\b/, 'audio/*,video/*'],
  [/\bMP4\b/, 'video/*,.mkv'],
  [/\bGLB\b/, '.glb,.gltf,.obj,.stl,.fbx,.ply,.spz'],
]

/** As tools of this gateway say it. The path of something else is not meant: `/srv/uploads/`, `/uploads/avatars`. */
const UPLOADED = /(?<![\w./-])\/uploads\/(?:…|\{id\})/

/** A file that may be sent by itself, which the description of the argument says. */
function uploadedFile(
  description: string,
): (Partial<TextInput> & Pick<TextInput, 'type'>) | undefined {
  if (!UPLOADED.test(description)) return undefined
  const accept = KINDS.find(([format]) => format.test(description))?.[1] ?? ''
  return {
    type: accept === PICTURE_FORMATS ? 'picture' : 'file',
    encoding: 'data-url',
    accept,
    uploads: /data URL/i.test(description) ? 'large' : 'always',
  }
}

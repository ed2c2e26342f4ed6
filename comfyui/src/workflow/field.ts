/** A field of a tool: what it takes, and whether a value is that. */
import { isObject } from 'ftl-contract'
import { MEDIA_KINDS, type MediaKind } from '../client/media-format.ts'
import { MAX_IMAGE_ARGUMENT } from '../image/limits.ts'

/** `image` and those after it are strings that say where a file is; it is uploaded, and its name there becomes the value. */
export const FIELD_TYPES = [
  ...(['string', 'number', 'integer', 'boolean', 'object', 'array'] as const),
  ...(['image', 'mask', ...MEDIA_KINDS] as const),
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

const IMAGE_FORMS =
  'A data URL, the address of an image made here (/outputs/…) or sent by POST /uploads (/uploads/…), an https address of an allowed host, or the name of a file that upload_image returned. PNG, JPEG, WebP or GIF, at most 10 MB, 3 MB as a data URL'
const MEDIA_FORMS =
  'The address of a file made here (/outputs/…) or sent by POST /uploads (/uploads/…), an https address of an allowed host, a data URL, or the name of a file in the input folder of the ComfyUI server'
const MEDIA_FORMATS: Readonly<Record<MediaKind, string>> = {
  video: 'MP4, MOV, WebM or MKV',
  audio: 'MP3, WAV, FLAC, OGG, M4A, or a video',
  model3d: 'GLB, glTF, OBJ, STL, FBX, PLY or SPZ',
}
const MASK_FORMS =
  'A PNG or WebP image with transparency: its transparent parts are changed. A data URL or an address, as of an image (/outputs/…, /uploads/…)'

/** How a value is made when the caller gives none. */
export interface Generator {
  type: 'seed' | 'random'
  /** Inclusive. @default the field's own limits, else 0 */
  min?: number
  /** Inclusive. @default the field's own limits, else 2^32 - 1 */
  max?: number
}

export interface Field {
  name: string
  type: FieldType
  description?: string
  /** @default true without a default and a generator */
  required: boolean
  default?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  generator?: Generator
  /** Of a `mask`: the field of the image that gets its transparency. */
  of?: string
}

/** @returns the problem of a value, as a text that continues the field's name; `undefined` if it is valid. */
export function problemOf(
  value: unknown,
  field: Omit<Field, 'name' | 'required'>,
): string | undefined {
  const { type, enum: choices, minimum, maximum } = field
  if (!isOfType(value, type)) {
    const shown = schemaType(type)
    return `must be ${/^[aio]/.test(shown) ? 'an' : 'a'} ${shown}`
  }
  if (typeof value === 'number') {
    if (type === 'integer' && !Number.isSafeInteger(value)) {
      return `must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`
    }
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`
  }
  if (choices && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) {
    return `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  }
  return undefined
}

function isOfType(value: unknown, type: FieldType): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === schemaType(type)
}

/** Whether a field takes a file. */
export function isFile({ type }: Pick<Field, 'type'>): boolean {
  return type === 'image' || type === 'mask' || isMedia(type)
}

export function isMedia(type: FieldType): type is MediaKind {
  return MEDIA_KINDS.some((kind) => kind === type)
}

function schemaType(type: FieldType): string {
  return isFile({ type }) ? 'string' : type
}

/** The JSON Schema of a tool's fields: keys in the order of the configuration format. */
export function toInputSchema(fields: readonly Field[]): Record<string, unknown> {
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
    ...(required.length > 0 && { required }),
  }
}

function toProperty(field: Field): Record<string, unknown> {
  const { type, enum: choices, minimum, maximum } = field
  const description = isFile(field) ? describeFile(field) : field.description
  return {
    type: schemaType(type),
    ...(description !== undefined && { description }),
    ...(isFile(field) && { maxLength: MAX_IMAGE_ARGUMENT }),
    ...(choices && { enum: choices }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...('default' in field && { default: field.default }),
  }
}

function describeFile({ type, description }: Field): string {
  const forms = isMedia(type)
    ? `${MEDIA_FORMS}. ${MEDIA_FORMATS[type]}, at most 32 MB, 3 MB as a data URL`
    : type === 'mask'
      ? MASK_FORMS
      : IMAGE_FORMS
  return description === undefined ? forms : `${description.replace(/[.\s]+$/, '')}. ${forms}`
}

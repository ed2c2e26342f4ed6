/**
 * The files of a call, images and others: read and checked before its job exists, uploaded when the job starts.
 *
 * A caller must not choose a name on the server: it could lead out of the folder of inputs, or to the pictures of
 * another caller. So a name is accepted only as `upload_image` and ComfyUI itself give it.
 */
import { type ComfyClient, isStoredUpload } from 'ftl-comfyui/client'
import {
  checkMask,
  openAnyOutput,
  readSourceImage,
  readSourceMedia,
  type SourceImage,
  type SourceMedia,
  uploadIdIn,
} from 'ftl-comfyui/image'
import { isMedia } from 'ftl-comfyui/workflow'
import { OUTPUTS_PATH, UPLOADS_PATH } from 'ftl-contract'
import { InvalidArguments, type ToolContext } from 'ftl-sdk'
import type { Draft, Prepared } from './prepare-call.ts'
import { findSent, placeSent, type SentFile } from './sent-files.ts'

/** Bytes of all files of a call together. */
const MAX_TOTAL = 32 * 1024 * 1024
/** Characters of a file name on the server. */
const MAX_NAME = 255
const CONTROL = /[\u0000-\u001f\u007f\\]/
/** ComfyUI reads `x.png [output]` from the folder of results, which belong to other callers too. */
const OTHER_FOLDER = /\[(?:input|output|temp)\]\s*$/

/** A call whose files have been read. */
export interface Ready {
  /** By field; a field that is absent has the name of a file as its value. */
  images: ReadonlyMap<string, SourceImage>
  media: ReadonlyMap<string, SourceMedia>
  sent: ReadonlyMap<string, SentFile>
  draft: Draft
}

/** @throws {InvalidArguments} naming the first file that cannot be used. */
export async function readFiles(draft: Draft, context: ToolContext): Promise<Ready> {
  const images = new Map<string, SourceImage>()
  const media = new Map<string, SourceMedia>()
  const sent = new Map<string, SentFile>()
  const output = openAnyOutput(context)
  let total = 0
  const count = (name: string, { bytes }: { bytes: Uint8Array }) => {
    total += bytes.length
    if (total > MAX_TOTAL)
      throw new InvalidArguments(`${name}: the files have more than 32 MB together`)
  }
  for (const { field, source } of draft.files) {
    const { name, type, of } = field
    if (type !== 'mask' && isFileName(source, name)) continue
    if (isMedia(type)) {
      const id = uploadIdIn(source.trim())
      if (id !== undefined) {
        sent.set(name, await findSent(name, type, id, context))
        continue
      }
      const file = await readSourceMedia(type, source, context, { output }, name)
      count(name, file)
      media.set(name, file)
      continue
    }
    const image = await readSourceImage(source, context, { output }, name)
    count(name, image)
    if (type === 'mask') checkMask(name, image, of === undefined ? undefined : images.get(of))
    images.set(name, image)
  }
  for (const { field } of draft.files) {
    if (field.type !== 'mask' || draft.files.some((other) => other.field.name === field.of))
      continue
    throw new InvalidArguments(`${field.name}: it needs "${field.of}" as well`)
  }
  return { images, media, sent, draft }
}

/** Without a server nothing can be uploaded, and only names of files are possible. */
export function requireNames({ files }: Draft): void {
  for (const { field, source } of files) {
    if (field.type !== 'mask' && isFileName(source, field.name)) continue
    throw new InvalidArguments(
      `${field.name}: no ComfyUI server is configured, so a file cannot be uploaded; give the name of a file in its input folder`,
    )
  }
}

/** Uploads the files and puts their names into the workflow. */
export async function upload(
  { images, media, sent, draft }: Ready,
  server: string,
  client: ComfyClient,
  context: ToolContext,
): Promise<Prepared> {
  const names = new Map<string, string>()
  for (const { field, source } of draft.files) {
    if (field.type === 'mask') continue
    const image = images.get(field.name)
    const file = media.get(field.name)
    const large = sent.get(field.name)
    const name = image
      ? await client.uploadImage(image.bytes)
      : file
        ? await client.uploadMedia(file.bytes)
        : large && (await placeSent(large, server, client, context))
    names.set(field.name, name ?? source)
  }
  for (const { field } of draft.files) {
    const { name, of } = field
    const mask = images.get(name)
    const image = of === undefined ? undefined : names.get(of)
    if (field.type !== 'mask' || !mask || of === undefined || image === undefined) continue
    const masked = await client.uploadMask(mask.bytes, image)
    names.set(of, masked)
    names.set(name, masked)
  }
  const { params, ...rest } = draft.finish(names)
  const shown = [...sent].map(([name, { id }]) => [name, UPLOADS_PATH + id] as const)
  // Who reads the result must not learn the name of a file that only its sender may use.
  return { ...rest, params: { ...params, ...Object.fromEntries(shown) } }
}

/** What a record shows of the files before they have names: a data URL would fill it. */
export function placeholders({ images, media, sent }: Ready): Map<string, string> {
  return new Map([
    ...[...images].map(([name, { bytes }]) => [name, `an image of ${bytes.length} bytes`] as const),
    ...[...media].map(
      ([name, { kind, bytes }]) => [name, `a file (${kind}) of ${bytes.length} bytes`] as const,
    ),
    ...[...sent].map(([name, { id }]) => [name, UPLOADS_PATH + id] as const),
  ])
}

/** @throws {InvalidArguments} when it can only be meant as a name, and is not a safe one. */
function isFileName(source: string, argument: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(source.trim())) return false
  if (source.startsWith(OUTPUTS_PATH) || source.startsWith(UPLOADS_PATH)) return false
  const parts = source.split('/')
  const isSafe =
    source !== '' &&
    source.length <= MAX_NAME &&
    !CONTROL.test(source) &&
    !OTHER_FOLDER.test(source) &&
    !isStoredUpload(source) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (isSafe) return true
  throw new InvalidArguments(
    `${argument}: must be a data URL, /outputs/…, /uploads/…, an https address, or the name of a file in the input folder of the ComfyUI server`,
  )
}

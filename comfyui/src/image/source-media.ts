/** A video, a sound or a 3D model given as an argument. What it got is checked by its first bytes. */
import type { ToolContext } from 'ftl-sdk'
import { type MediaFormat, mediaFormat, type MediaKind } from '../client/media-format.ts'
import { MAX_MEDIA_BYTES } from './limits.ts'
import { type FileSources, named, readBytes, refuse } from './source-bytes.ts'

export interface SourceMedia extends MediaFormat {
  bytes: Uint8Array<ArrayBuffer>
}

const ABOUT: Readonly<Record<MediaKind, { accept: string; example: string; formats: string }>> = {
  video: { accept: 'video/*', example: 'video/mp4', formats: 'an MP4, MOV, WebM or MKV video' },
  audio: {
    accept: 'audio/*, video/*',
    example: 'audio/wav',
    formats: 'an MP3, WAV, FLAC, OGG or M4A sound, or a video',
  },
  model3d: {
    accept: 'model/*',
    example: 'model/gltf-binary',
    formats: 'a GLB, glTF, OBJ, STL, FBX, PLY or SPZ file',
  },
}

/**
 * @param argument its name, for errors.
 * @throws {InvalidArguments} whose message begins with the argument.
 */
export function readSourceMedia(
  kind: MediaKind,
  source: string,
  context: ToolContext,
  sources: FileSources,
  argument: string,
): Promise<SourceMedia> {
  return named(argument, readMedia(kind, source, context, sources))
}

async function readMedia(
  kind: MediaKind,
  source: string,
  context: ToolContext,
  sources: FileSources,
): Promise<SourceMedia> {
  const { formats, ...wanted } = ABOUT[kind]
  const limits = { ...wanted, maxBytes: MAX_MEDIA_BYTES }
  const bytes = await readBytes(source.trim(), context, sources, limits)
  const format = mediaFormat(bytes)
  // LoadAudio takes the sound of a video.
  const isTaken = format && (format.kind === kind || (kind === 'audio' && format.kind === 'video'))
  if (!isTaken) throw refuse(`is not ${formats}`)
  return { ...format, bytes }
}

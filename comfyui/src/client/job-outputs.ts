/**
 * What the nodes of a prompt showed: files and texts.
 *
 * A node lists them under keys of its own: `images`, `gifs`, `text`, `tags`. Files of 3D nodes are plain names
 * (`result: ["3d/a.glb", null]`), which `/jobs` turns into objects and the history does not.
 */
import { asObject } from 'ftl-contract'
import type { ComfyJob, OutputFile } from './job.ts'
import { asText, type Json } from './narrow.ts'

/**
 * Files of each kind, kept and temporary, that are listed. A job's record holds about 2,000: with more of them the
 * whole result would be lost, and 100,000 would occupy the thread of other requests for seconds.
 */
const MAX_FILES = 1000
/** Characters of all texts together. A record has them twice. */
const MAX_TEXT = 50_000
/** Characters that a shorter text counts as, which bounds the number of texts. */
const MIN_TEXT = 50
/** Characters of a printed tensor: a forgotten `PreviewAny` would fill the context of a model with numbers. */
const MAX_TENSOR = 300
const TENSOR = /^[^"]{0,200}?\b(?:tensor|array)\(\[/
/** Levels of lists inside lists. */
const MAX_DEPTH = 4
/** Values that are read of one node. */
const MAX_VALUES = 100_000

/** Keys of texts. Those of others are shown only if a prompt would have nothing to show. */
const TEXT_KEYS: ReadonlySet<string> = new Set(
  'text texts tags string strings value values caption captions'.split(' '),
)
/** `animated` says how a file is shown. */
const NO_TEXT_KEYS: ReadonlySet<string> = new Set(['animated'])
const MODEL_NAME = /^[^\n"<>]{1,500}\.(?:obj|fbx|gltf|glb|usdz|ply|stl|spz|splat|ksplat)$/i

export function outputsOf(outputs: unknown): Pick<ComfyJob, 'files' | 'texts'> {
  const kept: OutputFile[] = []
  const temporary: OutputFile[] = []
  const said: string[] = []
  const other: string[] = []
  let count = 0
  for (const [nodeId, node] of Object.entries(asObject(outputs))) {
    for (const [mediaKey, values] of Object.entries(asObject(node))) {
      for (const value of leaves(values)) {
        const file = toFile(value, nodeId, mediaKey)
        if (file) {
          const files = file.type === 'output' ? kept : temporary
          if (files === kept) count++
          if (files.length < MAX_FILES) files.push(file)
        } else if (isShown(value) && !NO_TEXT_KEYS.has(mediaKey)) {
          const texts = TEXT_KEYS.has(mediaKey) ? said : other
          // One more than is shown: then the result says that some are left out.
          if (texts.length <= MAX_TEXT / MIN_TEXT) texts.push(shortened(String(value)))
        }
      }
    }
  }
  const files = [...kept, ...temporary]
  const texts = fitting(said.length > 0 || files.length > 0 ? said : other)
  if (count > MAX_FILES) {
    texts.push(
      `The result has the first ${MAX_FILES} of ${count} files. The others are in the output folder of ComfyUI.`,
    )
  }
  return { files, texts }
}

function isShown(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The values of a list, and of the lists in it. */
function leaves(values: unknown): unknown[] {
  const list = Array.isArray(values) ? values : [values]
  return (list.slice(0, MAX_VALUES).flat(MAX_DEPTH) as unknown[]).slice(0, MAX_VALUES)
}

function toFile(value: unknown, nodeId: string, mediaKey: string): OutputFile | undefined {
  const isName = typeof value === 'string' && !TEXT_KEYS.has(mediaKey) && MODEL_NAME.test(value)
  const { filename, subfolder, type }: Json = isName ? { filename: value } : asObject(value)
  if (typeof filename !== 'string') return undefined
  // `/view` looks only at what follows the last separator.
  const parts = filename.split(/[\\/]/)
  const name = parts.pop() ?? ''
  const folder = [asText(subfolder) ?? '', ...parts].filter(Boolean).join('/')
  return { filename: name, subfolder: folder, type: asText(type) ?? 'output', nodeId, mediaKey }
}

/** Says how much of a text is left out. */
function cut(text: string, length: number): string {
  const left = text.length - length
  return `${text.slice(0, length)}… (${left} more character${left === 1 ? '' : 's'} left out)`
}

function shortened(text: string): string {
  return text.length > MAX_TENSOR && TENSOR.test(text) ? cut(text, MAX_TENSOR) : text
}

function fitting(all: readonly string[]): string[] {
  const texts: string[] = []
  let room = MAX_TEXT
  for (const text of all) {
    if (room <= 0) break
    texts.push(text.length > room ? cut(text, room) : text)
    room -= Math.max(text.length, MIN_TEXT)
  }
  if (texts.length < all.length) texts.push('(more texts were left out)')
  return texts
}

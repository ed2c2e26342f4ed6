/** Videos and sounds in and out, and a choice whose list the editor makes. */
import type { Picture } from '../drawing/png.ts'
import { type InputSpec, type NodeDefinition, NodeFailure } from './definition.ts'

/** The content of a video or a sound file. */
interface Media {
  bytes: Uint8Array
  extension: string
}

const IN_VIDEO = /\.(?:mp4|mov|webm|mkv)$/i
const IN_AUDIO = /\.(?:mp3|wav|flac|ogg|m4a|mp4|mov|webm|mkv)$/i
const HIDDEN = { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' }

async function load(path: unknown, run: Parameters<NodeDefinition['run']>[1]): Promise<Media> {
  const name = String(path)
  const bytes = await run.readInput(name)
  if (!bytes || bytes.length === 0) {
    const message = `[Errno 1094995529] Invalid data found when processing input: '/comfyui-data/input/${name}'\n`
    throw new NodeFailure('av.error.InvalidDataError', message, [])
  }
  return { bytes, extension: name.split('.').at(-1) ?? '' }
}

const loadVideo: NodeDefinition = {
  name: 'LoadVideo',
  displayName: 'Load Video',
  category: 'image/video',
  api: 3,
  inputs: ({ inputFiles }) => {
    const options = inputFiles().filter((name) => IN_VIDEO.test(name))
    return { required: { file: ['COMBO', { multiselect: false, options, video_upload: true }] } }
  },
  checks: {
    file: (name, { hasInputFile }) =>
      hasInputFile(String(name)) ? undefined : `Invalid video file: ${String(name)}`,
  },
  outputs: [['VIDEO', 'VIDEO']],
  run: async ({ file }, run) => ({ outputs: [await load(file, run)] }),
}

const createVideo: NodeDefinition = {
  name: 'CreateVideo',
  displayName: 'Create Video',
  category: 'image/video',
  description: 'Makes a video of images.',
  api: 3,
  inputs: () => ({
    required: {
      images: ['IMAGE', { tooltip: 'Its frames.' }],
      fps: ['FLOAT', { default: 30, min: 1, max: 120, step: 1 }],
    },
    optional: { audio: ['AUDIO', { tooltip: 'Its sound.' }] },
  }),
  outputs: [['VIDEO', 'VIDEO']],
  run: async ({ images, fps }) => ({ outputs: [unplayable(images as Picture[], Number(fps))] }),
}

/** Only the beginning of an MP4 file, and what a real one would show: no encoder is worth a simulator. */
function unplayable(frames: readonly Picture[], fps: number): Media {
  const box = (type: string, content: string) => {
    const bytes = new TextEncoder().encode(`0000${type}${content}`)
    new DataView(bytes.buffer).setUint32(0, bytes.length)
    return bytes
  }
  const { width = 0, height = 0 } = frames[0] ?? {}
  const about = JSON.stringify({ frames: frames.length, fps, width, height })
  const parts = [box('ftyp', 'isom\0\0\x02\0isommp42'), box('free', about)]
  return { bytes: Buffer.concat(parts), extension: 'mp4' }
}

/** Newer servers have the codecs of each format; older ones one list of both. */
function formatInputs(modern: boolean): Record<string, InputSpec> {
  const choice = (options: readonly string[]): InputSpec => [
    'COMBO',
    { default: 'auto', multiselect: false, options },
  ]
  if (!modern) return { format: choice(['auto', 'mp4']), codec: choice(['auto', 'h264']) }
  const codecs = { required: { codec: choice(['auto', 'h264']) } }
  const options = ['auto', 'mp4'].map((key) => ({ key, inputs: codecs }))
  return { format: ['COMFY_DYNAMICCOMBO_V3', { options }] }
}

const saveVideo: NodeDefinition = {
  name: 'SaveVideo',
  displayName: 'Save Video',
  category: 'image/video',
  description: 'Writes a video to the output folder.',
  api: 3,
  inputs: ({ modern }) => ({
    required: {
      video: ['VIDEO', { tooltip: 'What to write.' }],
      filename_prefix: ['STRING', { default: 'video/ComfyUI', multiline: false }],
      ...formatInputs(modern),
    },
    hidden: HIDDEN,
  }),
  outputs: [],
  outputNode: true,
  async run({ video, filename_prefix }, run) {
    const { bytes, extension } = video as Media
    const saved = await run.saveFile(bytes, extension, String(filename_prefix))
    return { outputs: [], ui: { images: [saved], animated: [true] } }
  },
}

const loadAudio: NodeDefinition = {
  name: 'LoadAudio',
  displayName: 'Load Audio',
  category: 'audio',
  inputs: ({ inputFiles }) => ({
    required: {
      audio: [inputFiles().filter((name) => IN_AUDIO.test(name)), { audio_upload: true }],
    },
  }),
  checks: {
    audio: (name, { hasInputFile }) =>
      hasInputFile(String(name)) ? undefined : `Invalid audio file: ${String(name)}`,
  },
  outputs: [['AUDIO', 'AUDIO']],
  run: async ({ audio }, run) => ({ outputs: [await load(audio, run)] }),
}

const saveAudio: NodeDefinition = {
  name: 'SaveAudio',
  displayName: 'Save Audio (FLAC)',
  category: 'audio',
  inputs: () => ({
    required: { audio: ['AUDIO'], filename_prefix: ['STRING', { default: 'audio/ComfyUI' }] },
    hidden: HIDDEN,
  }),
  outputs: [],
  outputNode: true,
  async run({ audio, filename_prefix }, run) {
    const saved = await run.saveFile((audio as Media).bytes, 'flac', String(filename_prefix))
    return { outputs: [], ui: { audio: [saved] } }
  },
}

/** The editor sends `option1` and so on, and the server looks at none of them. */
const customCombo: NodeDefinition = {
  name: 'CustomCombo',
  displayName: 'Custom Combo',
  category: 'utils',
  api: 3,
  inputs: () => ({
    required: { choice: ['COMBO', { multiselect: false, options: [] }] },
    optional: { index: ['INT', { default: 0, min: 0 }] },
  }),
  outputs: [
    ['STRING', 'STRING'],
    ['INT', 'INDEX'],
  ],
  run: async ({ choice, index }) => ({ outputs: [String(choice), Number(index ?? 0)] }),
}

export const mediaNodes: readonly NodeDefinition[] = [
  loadVideo,
  createVideo,
  saveVideo,
  loadAudio,
  saveAudio,
  customCombo,
]

/** Videos and sounds in and out, and a choice whose list the editor makes. */
import type { Picture } from '../drawing/png.ts'
import {
  HIDDEN,
  type InputSpec,
  type NodeDefinition,
  NodeFailure,
  type NodeInputs,
} from './definition.ts'

/** The content of a video or a sound file. */
interface Media {
  bytes: Uint8Array
  extension: string
}

const IN_VIDEO = /\.(?:mp4|mov|webm|mkv)$/i
const IN_AUDIO = /\.(?:mp3|wav|flac|ogg|m4a|mp4|mov|webm|mkv)$/i
const OLDER_HIDDEN = { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' }
const AUDIO_CLASS = {
  category: 'audio',
  module: 'comfy_extras.nodes_audio',
  api: 'since 0.3.64',
  essentials: 'Audio',
  searchAliases: ['sound'],
} as const
const VIDEO_CLASS = {
  category: 'video',
  module: 'comfy_extras.nodes_video',
  api: 'always',
  older: { category: 'image/video' },
  searchAliases: ['video'],
} as const

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
  ...VIDEO_CLASS,
  essentials: 'Basics',
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
  ...VIDEO_CLASS,
  essentials: 'Video Tools',
  description: 'Makes a video of images.',
  inputs: ({ modern }) => ({
    required: {
      images: ['IMAGE', { tooltip: 'Its frames.' }],
      fps: ['FLOAT', { default: 30, min: 1, max: 120, step: 1 }],
    },
    optional: {
      audio: ['AUDIO', { tooltip: 'Its sound.' }],
      ...(modern && {
        bit_depth: [
          'INT',
          { default: 8, min: 8, max: 10, step: 2, display: 'number', tooltip: 'Bits of a color.' },
        ],
      }),
    },
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
    { default: 'auto', multiselect: false, options, tooltip: 'Of the file.' },
  ]
  if (!modern) return { format: choice(['auto', 'mp4']), codec: choice(['auto', 'h264']) }
  return {
    format: dynamic('Of the file.', {
      auto: { required: { codec: codecs(['auto', 'h264', 'av1']) } },
      mp4: { required: { codec: codecs(['auto', 'h264', 'av1']) } },
      mkv: { required: { codec: codecs(['auto', 'h264', 'av1']) } },
      webm: { required: { codec: codecs(['auto', 'av1']) } },
    }),
  }
}

type Branches = Record<
  string,
  { required: NodeInputs['required']; optional?: NodeInputs['optional'] }
>

/** A choice, each of which brings inputs of its own. */
function dynamic(tooltip: string, branches: Branches, more: object = {}): InputSpec {
  const options = Object.entries(branches).map(([key, inputs]) => ({ key, inputs }))
  return ['COMFY_DYNAMICCOMBO_V3', { tooltip, options, ...more }]
}

/** Default and limit of the quality of each. */
const QUALITIES: Record<string, readonly [number, number]> = { h264: [23, 51], av1: [30, 63] }

function codecs(names: readonly string[], more: object = {}): InputSpec {
  const branch = (name: string): Branches[string] => {
    const quality = QUALITIES[name]
    return quality
      ? { required: {}, optional: { encoding: encoding(...quality) } }
      : { required: {} }
  }
  const branches = Object.fromEntries(names.map((name) => [name, branch(name)]))
  return dynamic('How it is compressed.', branches, more)
}

function encoding(quality: number, most: number): InputSpec {
  const colors = ['auto', 'sRGB', 'HDR', 'HDR PQ']
  const again = {
    crf: ['FLOAT', { default: quality, min: 0, max: most, step: 1, tooltip: 'Lower is better.' }],
    color_space: [
      'COMBO',
      {
        ...{ default: 'auto', multiselect: false, options: colors },
        ...{ display_name: 'color space', tooltip: 'Of the video.' },
      },
    ],
  } as const
  const more = { display_name: 'encoding mode' }
  return dynamic(
    'When frames are compressed again.',
    { auto: { required: {} }, 're-encode': { required: again } },
    more,
  )
}

const saveVideo: NodeDefinition = {
  name: 'SaveVideo',
  displayName: 'Save Video',
  ...VIDEO_CLASS,
  essentials: 'Basics',
  description: 'Writes a video to the output folder.',
  inputs: ({ modern }) => ({
    required: {
      video: ['VIDEO', { tooltip: 'What to write.' }],
      filename_prefix: [
        'STRING',
        { default: 'video/ComfyUI', multiline: false, tooltip: 'How its name begins.' },
      ],
      ...formatInputs(modern),
    },
    ...(modern && {
      // What files of earlier versions have.
      optional: { codec: codecs(['auto', 'h264', 'av1'], { hidden: true }) },
    }),
    hidden: HIDDEN,
  }),
  outputs: [['VIDEO', 'video']],
  outputTooltips: ['The video itself.'],
  older: { ...VIDEO_CLASS.older, outputs: [], outputTooltips: [] },
  outputNode: true,
  async run({ video, filename_prefix }, run) {
    const { bytes, extension } = video as Media
    const saved = await run.saveFile(bytes, extension, String(filename_prefix))
    return { outputs: [video], ui: { images: [saved], animated: [true] } }
  },
}

const loadAudio: NodeDefinition = {
  name: 'LoadAudio',
  displayName: 'Load Audio',
  ...AUDIO_CLASS,
  inputs: ({ inputFiles, modern }) => {
    const options = inputFiles().filter((name) => IN_AUDIO.test(name))
    return {
      required: {
        audio: modern
          ? ['COMBO', { multiselect: false, options, audio_upload: true }]
          : [options, { audio_upload: true }],
      },
    }
  },
  checks: {
    audio: (name, { hasInputFile }) =>
      hasInputFile(String(name)) ? undefined : `Invalid audio file: ${String(name)}`,
  },
  outputs: [['AUDIO', 'AUDIO']],
  run: async ({ audio }, run) => ({ outputs: [await load(audio, run)] }),
}

const saveAudio: NodeDefinition = {
  name: 'SaveAudio',
  displayName: 'Save Audio (FLAC) (DEPRECATED)',
  ...AUDIO_CLASS,
  isDeprecated: true,
  older: { displayName: 'Save Audio (FLAC)', outputs: [] },
  inputs: ({ modern }) => {
    const prefix = { default: 'audio/ComfyUI', ...(modern && { multiline: false }) }
    return {
      required: {
        audio: modern ? ['AUDIO', {}] : ['AUDIO'],
        filename_prefix: ['STRING', prefix],
      },
      hidden: modern ? HIDDEN : OLDER_HIDDEN,
    }
  },
  outputs: [['AUDIO', 'audio']],
  outputNode: true,
  async run({ audio, filename_prefix }, run) {
    const saved = await run.saveFile((audio as Media).bytes, 'flac', String(filename_prefix))
    return { outputs: [audio], ui: { audio: [saved] } }
  },
}

/** The editor sends `option1` and so on, and the server looks at none of them. */
const customCombo: NodeDefinition = {
  name: 'CustomCombo',
  displayName: 'Custom Combo',
  category: 'utilities',
  module: 'comfy_extras.nodes_logic',
  api: 'always',
  isExperimental: true,
  older: null,
  inputs: () => ({ required: { choice: ['COMBO', { multiselect: false, options: [] }] } }),
  checks: { choice: () => undefined },
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

/** What inputs of ComfyUI's nodes mean by their names. The types are those of `object_info` (0.3.64 and ComfyUI's documentation). */
import type { FieldType } from '../field.ts'

export interface KnownInput {
  description: string
  /** What nodes take. The export does not say it: it writes `1` for a decimal, too. @default by the value */
  type?: FieldType
}

const GUIDANCE: KnownInput = { description: 'How closely the prompt is followed', type: 'number' }
const RATE: KnownInput = { description: 'Frames a second', type: 'number' }

/** Inputs worth a parameter. */
const VALUES: Readonly<Record<string, KnownInput>> = {
  seed: {
    description: 'The same seed gives the same result; chosen at random when absent',
    type: 'integer',
  },
  steps: { description: 'Sampling steps', type: 'integer' },
  cfg: GUIDANCE,
  cfg_scale: GUIDANCE,
  guidance: GUIDANCE,
  guidance_scale: GUIDANCE,
  denoise: { description: 'How much is changed, from 0 to 1', type: 'number' },
  width: { description: 'Width in pixels', type: 'integer' },
  height: { description: 'Height in pixels', type: 'integer' },
  batch_size: { description: 'How many are made at once', type: 'integer' },
  length: { description: 'Number of frames', type: 'integer' },
  fps: RATE,
  frame_rate: RATE,
  seconds: { description: 'Length in seconds', type: 'number' },
  // Most services take whole seconds, and some a choice such as "5s".
  duration: { description: 'Length in seconds' },
  image: { description: 'The image to start from' },
  ckpt_name: { description: 'Model' },
  unet_name: { description: 'Model' },
  lora_name: { description: 'LoRA' },
  sampler_name: { description: 'Sampler' },
  scheduler: { description: 'Scheduler' },
}

/** Where a node differs from what its input's name says. */
const EXCEPTIONS: Readonly<Record<string, FieldType>> = {
  'SVD_img2vid_Conditioning.fps': 'integer',
  'ConditioningSetAreaPercentage.width': 'number',
  'ConditioningSetAreaPercentage.height': 'number',
  'ConditioningSetAreaPercentageVideo.width': 'number',
  'ConditioningSetAreaPercentageVideo.height': 'number',
  'TextEncodeAceStepAudio1.5.duration': 'number',
  'EmptyAudio.duration': 'number',
  'TrimAudioDuration.duration': 'number',
  'Video Slice.duration': 'number',
  'ElevenLabsTextToSoundEffects.duration': 'number',
  'MireloTextToSFX.duration': 'number',
}

/** The services take at most this seed; ComfyUI's own nodes take more. */
const MAX_SEED = 2 ** 31 - 1
/** Nodes that take less. */
const SEEDS: readonly [classType: RegExp, max: number][] = [
  [/^Rodin3D_/, 2 ** 16 - 1],
  [/^TopazImageEnhanceV2$/, 2000],
  [/^Flux3Max/, 2 ** 31 - 2],
]

/** Names that authors give to primitives, and what the inputs are called. */
const ALIASES: Readonly<Record<string, string>> = {
  noise_seed: 'seed',
  frame_count: 'length',
  number_of_frames: 'length',
  step: 'steps',
}

export function knownInput(name: string): KnownInput | undefined {
  return Object.hasOwn(VALUES, name) ? VALUES[name] : undefined
}

/** The type of an input where no server says it. */
export function typeByName(classType: string, name: string): FieldType | undefined {
  if (/Float$/i.test(classType)) return 'number'
  if (/Int(?:eger|Constant)?$/i.test(classType)) return 'integer'
  return EXCEPTIONS[`${classType}.${name}`] ?? knownInput(name)?.type
}

/** The largest seed that the node takes, as far as its class says. */
export function maxSeed(classType: string): number {
  return SEEDS.find(([pattern]) => pattern.test(classType))?.[1] ?? MAX_SEED
}

/** The name of a field for an input or for a title: `seed` for `noise_seed` and `Seed`, and `cfg` for `CFG`. */
export function canonicalName(name: string): string {
  if (/^(?:\w+_)?seed$/i.test(name)) return 'seed'
  const lower = name.toLowerCase()
  if (Object.hasOwn(ALIASES, lower)) return ALIASES[lower] ?? name
  return knownInput(lower) ? lower : name
}

/** What the name of a text input says of it. */
export type TextName =
  /** Its role depends on where it leads. */
  | { kind: 'prompt' }
  | { kind: 'negative' }
  | { kind: 'system' }
  | { kind: 'own'; description: string; required?: boolean }

const PROMPTS = new Set([
  ...['prompt', 'text', 'text_g', 'text_l', 'clip_g', 'clip_l', 't5xxl', 'llama', 'bert', 'mt5xl'],
  ...['wildcard_text', 'populated_text'],
  ...['qwen25_7b', 'positive', 'positive_prompt', 'user_prompt', 'text_prompt', 'prompt_text'],
  ...['value', 'string', 'caption', 'instruction', 'edit_instruction', 'question'],
])
const OWN: Readonly<Record<string, Omit<Extract<TextName, { kind: 'own' }>, 'kind'>>> = {
  tags: { description: 'Style of the music: genre, instruments, mood', required: true },
  lyrics: { description: 'Lyrics', required: true },
  instruct: { description: 'How it is said' },
  instructions: { description: 'How it is done' },
  voice_description: { description: 'How the voice sounds' },
}

/** @returns `undefined` for a name that does not say that the input is a text of the caller. */
export function textName(name: string): TextName | undefined {
  const lower = name.toLowerCase()
  if (/(?:^|_)neg(?:ative)?(?:_|$)/.test(lower)) return { kind: 'negative' }
  if (/^system(?:_|$)|_system_prompt$/.test(lower)) return { kind: 'system' }
  if (PROMPTS.has(lower)) return { kind: 'prompt' }
  if (Object.hasOwn(OWN, lower)) return { kind: 'own', description: '', ...OWN[lower] }
  if (/^text_?\d+$/.test(lower)) return { kind: 'own', description: toWords(lower), required: true }
  return /_prompt(?:_\d+)?$|^prompt_?\d+$|_description$/.test(lower)
    ? { kind: 'own', description: toWords(lower) }
    : undefined
}

/** Inputs that take a text, and none of a caller. */
const NOT_OF_CALLER =
  /^(?:filename|filename_prefix|file|path|folder\w*|delimiter|separator|expression|code|\w*_shader|regex\w*|pattern|find|f_string|template|url|api_key|json\w*|coordinates|\w*coords|\w*_ids?)$/i

export function isOfCaller(name: string): boolean {
  return !NOT_OF_CALLER.test(name)
}

/** Whether a text is one of the caller under any name: a sentence or a list of words, and no choice or formula. */
export function isSentence(name: string, value: string): boolean {
  if (!isOfCaller(name) || /voice|model|choice|sigmas|placement|_assets$/i.test(name)) return false
  const isWords =
    /[.,;!?]/.test(value) && /[a-z]{2}/i.test(value) && value.trim().split(/\s+/).length >= 4
  return isWords || (/[，。；！？、]/.test(value) && (value.match(/[一-鿿]/g)?.length ?? 0) >= 8)
}

/** `Frame rate` of `frame_rate`. */
export function toWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

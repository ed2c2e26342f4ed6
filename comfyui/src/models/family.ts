/**
 * The family of a model, by its file name: ComfyUI says nothing else about a file.
 *
 * Only names that leave no doubt count. A name that fits two families, or none, has no family.
 */

/** Families that a render type can name. */
export const MODEL_FAMILIES = ['sdxl', 'sd15', 'sd2', 'sd3', 'flux'] as const
export type ModelFamily = (typeof MODEL_FAMILIES)[number]

/** Node classes that load a whole model, and the input with its file. */
export const MODEL_LOADERS: ReadonlyMap<string, string> = new Map([
  ['CheckpointLoaderSimple', 'ckpt_name'],
  ['UNETLoader', 'unet_name'],
])

/** Characters of a name that are examined; a longer name has no family. */
const MAX_LENGTH = 255

/** In lower case, with the folder, and with `-` for spaces, `_`, `.` and `\`. */
const PATTERNS: readonly (readonly [ModelFamily | 'other', RegExp])[] = [
  // "juggernautxl-v9" too, but neither "t5xxl" nor "pixart-xl".
  ['sdxl', /sd-?xl|[a-wyz-]xl(?:-|\/|v?\d|$)|illustrious|noobai|pony-?diffusion-?v6/],
  ['sd15', /(?:^|[^a-z0-9])sd-?v?1-?[45](?!\d)|(?:^|\/)v1-[45]-|stable-diffusion-v1-[45]/],
  [
    'sd15',
    /dreamshaper-?[3-8](?!\d)|realistic-?vision-?v[1-6]|^epic-?realism-?(?!xl)|deliberate-v/,
  ],
  ['sd2', /(?:^|[^a-z0-9])sd-?v?2(?!\d\d)|(?:^|\/)v2-[01]-|stable-diffusion-2/],
  ['sd3', /(?:^|[^a-z0-9])sd-?v?3(?!\d\d)|stable-diffusion-3/],
  ['flux', /flux(?!-?2)/],
  ['other', /flux-?2|pixart|cascade|kolors|hunyuan|qwen|(?:^|[^a-z])wan(?![a-z])|ltx|mochi|cosmos/],
  ['other', /hidream|lumina|aura-?flow|chroma|z-image|playground|svd|stable-video|stable-audio/],
]

/** Models that need other steps, another guidance, or another workflow than the plain ones of their family. */
const VARIANTS =
  /turbo|lightning|lcm|hyper|schnell|distill|inpaint|refiner|kontext|(?:^|-)fill|(?:^|-)edit|pix2pix|control|canny|depth|redux|lora|unclip|(?:^|-)clip(?![a-z])|upscale/g

/** @returns `undefined` when the name does not say it. */
export function familyOf(file: string): ModelFamily | 'other' | undefined {
  if (file.length > MAX_LENGTH) return undefined
  const name = normalized(file)
  const found = new Set(PATTERNS.flatMap(([family, pattern]) => (pattern.test(name) ? family : [])))
  if (found.has('other')) return 'other'
  const [family] = found
  return found.size === 1 ? family : undefined
}

/** `sdxl_lightning_inpaint` → `inpaint,lightning`: a model replaces only one with the same variants. */
export function variantsOf(file: string): string {
  const found = normalized(file.slice(0, MAX_LENGTH)).match(VARIANTS) ?? []
  return [...new Set(found)].sort().join()
}

function normalized(file: string): string {
  const withoutEnding = file.toLowerCase().replace(/\.[a-z0-9]+$/, '')
  return withoutEnding.replaceAll('\\', '/').replace(/[\s_.]/g, '-')
}

/** The nodes of the classic text-to-image graph. */
import { drawPicture } from '../drawing/draw.ts'
import { MAX_SEED } from '../exact-json.ts'
import type { NodeDefinition } from './definition.ts'

const MAX_SIDE = 16384
const PREVIEW_SIDE = 128

const SAMPLERS = (
  'euler euler_cfg_pp euler_ancestral euler_ancestral_cfg_pp heun heunpp2 exp_heun_2_x0 ' +
  'exp_heun_2_x0_sde dpm_2 dpm_2_ancestral lms dpm_fast dpm_adaptive dpmpp_2s_ancestral ' +
  'dpmpp_2s_ancestral_cfg_pp dpmpp_sde dpmpp_sde_gpu dpmpp_2m dpmpp_2m_cfg_pp dpmpp_2m_sde ' +
  'dpmpp_2m_sde_gpu dpmpp_2m_sde_heun dpmpp_2m_sde_heun_gpu dpmpp_3m_sde dpmpp_3m_sde_gpu ddpm ' +
  'lcm ipndm ipndm_v deis res_multistep res_multistep_cfg_pp res_multistep_ancestral ' +
  'res_multistep_ancestral_cfg_pp gradient_estimation gradient_estimation_cfg_pp er_sde seeds_2 ' +
  'seeds_3 sa_solver sa_solver_pece ddim uni_pc uni_pc_bh2'
).split(' ')

const LATER_SAMPLERS = ['exp_heun_2_x0', 'exp_heun_2_x0_sde']
const EARLIER_SAMPLERS = SAMPLERS.filter((name) => !LATER_SAMPLERS.includes(name))

const SCHEDULERS =
  'simple sgm_uniform karras exponential ddim_uniform beta normal linear_quadratic kl_optimal'.split(
    ' ',
  )

interface Latent {
  width: number
  height: number
  batch: number
  sampled?: { seed: number; steps: number; positive: string; negative: string }
}

interface Conditioning {
  text: string
}

const checkpointLoader: NodeDefinition = {
  name: 'CheckpointLoaderSimple',
  displayName: 'Load Checkpoint',
  category: 'model/loaders',
  older: { category: 'loaders' },
  description: 'Loads a checkpoint: model, text encoder and image decoder in one file.',
  inputs: ({ models }) => ({
    required: { ckpt_name: [models('checkpoints'), { tooltip: 'File name of the checkpoint.' }] },
  }),
  outputs: [
    ['MODEL', 'MODEL'],
    ['CLIP', 'CLIP'],
    ['VAE', 'VAE'],
  ],
  outputTooltips: ['The model.', 'The text encoder.', 'The image encoder and decoder.'],
  searchAliases: ['checkpoint', 'load model'],
  run: async ({ ckpt_name }) => ({ outputs: [{ ckpt_name }, { ckpt_name }, { ckpt_name }] }),
}

const textEncode: NodeDefinition = {
  name: 'CLIPTextEncode',
  displayName: 'CLIP Text Encode (Prompt)',
  category: 'model/conditioning',
  older: { category: 'conditioning' },
  description: 'Encodes a prompt for the sampler.',
  inputs: () => ({
    required: {
      text: ['STRING', { multiline: true, dynamicPrompts: true, tooltip: 'The prompt.' }],
      clip: ['CLIP', { tooltip: 'The text encoder.' }],
    },
  }),
  outputs: [['CONDITIONING', 'CONDITIONING']],
  outputTooltips: ['The encoded prompt.'],
  searchAliases: ['prompt', 'text'],
  run: async ({ text }) => ({ outputs: [{ text: String(text) } satisfies Conditioning] }),
}

const emptyLatent: NodeDefinition = {
  name: 'EmptyLatentImage',
  displayName: 'Empty Latent Image',
  category: 'model/latent',
  older: { category: 'latent' },
  description: 'A blank canvas for the sampler.',
  inputs: () => ({
    required: {
      width: ['INT', { default: 512, min: 16, max: MAX_SIDE, step: 8, tooltip: 'In pixels.' }],
      height: ['INT', { default: 512, min: 16, max: MAX_SIDE, step: 8, tooltip: 'In pixels.' }],
      batch_size: ['INT', { default: 1, min: 1, max: 4096, tooltip: 'How many images.' }],
    },
  }),
  outputs: [['LATENT', 'LATENT']],
  outputTooltips: ['The blank canvas.'],
  searchAliases: ['empty', 'resolution'],
  run: async ({ width, height, batch_size }) => ({
    outputs: [
      {
        width: Number(width),
        height: Number(height),
        batch: Number(batch_size),
      } satisfies Latent,
    ],
  }),
}

const sampler: NodeDefinition = {
  name: 'KSampler',
  displayName: 'KSampler',
  category: 'model/sampling',
  older: { category: 'sampling' },
  description: 'Makes an image out of noise, following the prompts.',
  inputs: ({ modern }) => ({
    required: {
      model: ['MODEL', { tooltip: 'The model.' }],
      seed: [
        'INT',
        { default: 0, min: 0, max: MAX_SEED, control_after_generate: true, tooltip: 'The seed.' },
      ],
      steps: ['INT', { default: 20, min: 1, max: 10000, tooltip: 'Number of steps.' }],
      cfg: [
        'FLOAT',
        { default: 8, min: 0, max: 100, step: 0.1, round: 0.01, tooltip: 'Weight of the prompt.' },
      ],
      sampler_name: [modern ? SAMPLERS : EARLIER_SAMPLERS, { tooltip: 'The algorithm.' }],
      scheduler: [SCHEDULERS, { tooltip: 'How the noise is removed.' }],
      positive: ['CONDITIONING', { tooltip: 'What to show.' }],
      negative: ['CONDITIONING', { tooltip: 'What to leave out.' }],
      latent_image: ['LATENT', { tooltip: 'The canvas.' }],
      denoise: [
        'FLOAT',
        { default: 1, min: 0, max: 1, step: 0.01, tooltip: 'How much to change.' },
      ],
    },
  }),
  outputs: [['LATENT', 'LATENT']],
  outputTooltips: ['The finished canvas.'],
  searchAliases: ['sample', 'generate'],
  async run({ seed, steps, positive, negative, latent_image }, run) {
    const total = Number(steps)
    const canvas = latent_image as Latent
    const sampled = {
      seed: Number(seed),
      steps: total,
      positive: (positive as Conditioning).text,
      negative: (negative as Conditioning).text,
    }
    const shrink = PREVIEW_SIDE / Math.max(canvas.width, canvas.height)
    const preview = run.wantsPreviews
      ? drawPicture({
          width: Math.max(1, Math.round(canvas.width * shrink)),
          height: Math.max(1, Math.round(canvas.height * shrink)),
          prompt: sampled.positive,
          seed: sampled.seed,
        })
      : undefined
    for (let step = 1; step <= total; step++) {
      await run.pause(run.renderSeconds / total)
      await run.progress(step, total, preview)
    }
    return { outputs: [{ ...canvas, sampled } satisfies Latent] }
  },
}

const decode: NodeDefinition = {
  name: 'VAEDecode',
  displayName: 'VAE Decode',
  category: 'model/latent',
  older: { category: 'latent' },
  description: 'Turns the finished canvas into pixels.',
  inputs: () => ({
    required: {
      samples: ['LATENT', { tooltip: 'The canvas.' }],
      vae: ['VAE', { tooltip: 'The decoder.' }],
    },
  }),
  outputs: [['IMAGE', 'IMAGE']],
  outputTooltips: ['The image.'],
  searchAliases: ['decode'],
  async run({ samples }) {
    const { width, height, batch, sampled } = samples as Latent
    const pictures = Array.from({ length: batch }, (_, index) =>
      drawPicture({
        width,
        height,
        prompt: sampled?.positive ?? '',
        negative: sampled?.negative ?? '',
        seed: (sampled?.seed ?? 0) + index,
        ...(sampled && { details: `${sampled.steps} steps` }),
      }),
    )
    return { outputs: [pictures] }
  },
}

export const diffusionNodes: readonly NodeDefinition[] = [
  checkpointLoader,
  textEncode,
  emptyLatent,
  sampler,
  decode,
]

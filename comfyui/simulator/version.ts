/**
 * Differences between the ComfyUI generations that the simulator imitates.
 *
 * @see ../../test/fixtures/recordings
 */
import { freemem, totalmem } from 'node:os'

/** The recorded versions. */
export type ComfyVersion = '0.33.0' | '0.3.64'

export interface VersionTraits {
  version: ComfyVersion
  /** `GET /jobs` and the job cancel endpoints. */
  jobs: boolean
  /** `prompt_id` must be a canonical UUID. */
  uuidOnly: boolean
  /** `missing_node_type` instead of `invalid_prompt`; a node that is not an object is an internal error. */
  namesMissingNodes: boolean
  /** `dependency_cycle` instead of an empty `node_errors`. */
  namesCycles: boolean
  /** `create_time` in `extra_data`. */
  createTime: boolean
  /** `Sec-Fetch-Site: cross-site` is refused. */
  checksFetchSite: boolean
  /** Newer fields of `object_info` and of the headers of `/view`. */
  modernInfo: boolean
  features: Record<string, unknown>
  modelFolders: readonly string[]
}

const FOLDERS_0_3_64 = [
  'checkpoints',
  'configs',
  'loras',
  'vae',
  'text_encoders',
  'diffusion_models',
  'clip_vision',
  'style_models',
  'embeddings',
  'diffusers',
  'vae_approx',
  'controlnet',
  'gligen',
  'upscale_models',
  'custom_nodes',
  'hypernetworks',
  'photomaker',
  'classifiers',
  'model_patches',
  'audio_encoders',
]

const FOLDERS_0_33_0 = [
  ...FOLDERS_0_3_64.slice(0, 14),
  'latent_upscale_models',
  'custom_nodes',
  'datasets',
  'hypernetworks',
  'photomaker',
  'classifiers',
  'model_patches',
  'audio_encoders',
  'background_removal',
  'frame_interpolation',
  'geometry_estimation',
  'optical_flow',
  'detection',
]

/** `--max-upload-size` of a server started without options, in bytes. */
export const MAX_BODY_BYTES = 104_857_600

const modern = {
  jobs: true,
  uuidOnly: true,
  namesMissingNodes: true,
  namesCycles: true,
  createTime: true,
  checksFetchSite: true,
  modernInfo: true,
}

const legacy = {
  jobs: false,
  uuidOnly: false,
  namesMissingNodes: false,
  namesCycles: false,
  createTime: false,
  checksFetchSite: false,
  modernInfo: false,
}

/** The behaviour of each generation. */
export const VERSIONS: Record<ComfyVersion, VersionTraits> = {
  '0.33.0': {
    version: '0.33.0',
    ...modern,
    features: {
      supports_preview_metadata: true,
      supports_model_type_tags: true,
      max_upload_size: MAX_BODY_BYTES,
      extension: { manager: { supports_v4: true } },
      node_replacements: true,
      assets: false,
    },
    modelFolders: FOLDERS_0_33_0,
  },
  '0.3.64': {
    version: '0.3.64',
    ...legacy,
    features: { supports_preview_metadata: true, max_upload_size: MAX_BODY_BYTES },
    modelFolders: FOLDERS_0_3_64,
  },
}

/** The body of `GET /system_stats`. */
export function systemStats({ version, modernInfo }: VersionTraits): Record<string, unknown> {
  const total = totalmem()
  const free = freemem()
  const required = modernInfo ? '1.49.6' : '1.27.10'
  return {
    system: {
      os: modernInfo ? 'linux' : 'posix',
      ram_total: total,
      ram_free: free,
      comfyui_version: version,
      required_frontend_version: required,
      installed_templates_version: null,
      required_templates_version: modernInfo ? '0.11.44' : '0.1.95',
      ...(modernInfo && {
        comfy_package_versions: [{ name: 'comfyui-frontend-package', installed: null, required }],
      }),
      python_version: 'none (simulator)',
      pytorch_version: 'none (simulator)',
      embedded_python: false,
      ...(modernInfo && { deploy_environment: 'local-git' }),
      argv: ['simulator'],
    },
    devices: [
      {
        name: 'cpu',
        type: 'cpu',
        index: null,
        vram_total: total,
        vram_free: free,
        torch_vram_total: total,
        torch_vram_free: free,
      },
    ],
  }
}

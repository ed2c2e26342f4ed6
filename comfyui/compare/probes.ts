/** What is asked of a real server and of the simulator: all that the ComfyUI client uses, and its mistakes. */

import { NODES } from '../simulator/nodes/catalog.ts'

export interface Probe {
  name: string
  method?: 'POST' | 'PUT' | 'OPTIONS'
  path: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  text?: string
  /** Sent as the image of a form, under this name. */
  upload?: string
  /**
   * What is compared besides the status.
   *
   * - `all`: headers and every value of the body
   * - `shape`: headers, and keys, types and texts of the body, where numbers depend on what the server did before
   * - `kind`: headers, and whether the body is a list or an object, where its content depends on the machine
   * - `head`: headers only
   * - `status`: nothing more
   *
   * @default 'all'
   */
  compared?: 'all' | 'shape' | 'kind' | 'head' | 'status'
  /** Paths in the body whose values depend on the machine: only their kind is compared. */
  varying?: RegExp
}

/** All of the simulator, except the one of the recordings. */
const NODE_CLASSES = [...NODES.keys()].filter((name) => name !== 'SlowImage')

/** Files that the server has: models, and what was uploaded. */
const FILE_LISTS =
  /(?:\.(?:ckpt_name|lora_name|model_name)|Load\w+\.input\.required\.(?:image|file|audio))(?:\[0\]|\[1\]\.options)/

const NOBODY = '283b4fc9-e4ac-47df-ba2b-9d08ed635354'

/** Change nothing on the server. */
export const READS: readonly Probe[] = [
  {
    name: 'system_stats',
    path: '/api/system_stats',
    compared: 'shape',
    varying: /^\$\.devices|^\$\.system\.(?:os|\w*version|deploy_environment)$/,
  },
  { name: 'features', path: '/api/features', compared: 'shape' },
  { name: 'queue', path: '/api/queue', compared: 'kind' },
  { name: 'number of prompts in the queue', path: '/api/prompt', compared: 'shape' },
  { name: 'folders of models', path: '/api/models', compared: 'kind' },
  { name: 'checkpoints', path: '/api/models/checkpoints', compared: 'kind' },
  { name: 'unknown folder of models', path: '/api/models/zzz' },
  { name: 'embeddings', path: '/api/embeddings', compared: 'kind' },
  ...NODE_CLASSES.map((name) => ({
    name: `node ${name}`,
    path: `/api/object_info/${name}`,
    varying: FILE_LISTS,
  })),
  { name: 'unknown node', path: '/api/object_info/Nope' },
  { name: 'unknown job', path: `/api/jobs/${NOBODY}` },
  { name: 'unknown job, without /api', path: `/jobs/${NOBODY}`, compared: 'status' },
  {
    name: 'cancel of an unknown job',
    method: 'POST',
    path: `/api/jobs/${NOBODY}/cancel`,
    json: {},
  },
  { name: 'jobs with limit=-1', path: '/api/jobs?limit=-1' },
  { name: 'jobs with limit=x', path: '/api/jobs?limit=x' },
  { name: 'jobs with an unknown order', path: '/api/jobs?sort_by=zzz' },
  { name: 'jobs with an unknown direction', path: '/api/jobs?sort_order=zzz' },
  { name: 'jobs with offset=x', path: '/api/jobs?offset=x' },
  { name: 'jobs with an unknown status', path: '/api/jobs?status=zzz' },
  { name: 'unknown prompt in the history', path: `/api/history/${NOBODY}` },
  { name: 'history with max_items=abc', path: '/api/history?max_items=abc', compared: 'status' },
  { name: 'missing file', path: '/api/view?filename=nope.png&type=output' },
  { name: 'file outside of the folder', path: '/api/view?filename=../x.png' },
  {
    name: 'folder outside of the folder',
    path: '/api/view?filename=x.png&subfolder=../..&type=output',
  },
  { name: 'file without a name', path: '/api/view' },
  { name: 'unknown route', path: '/api/zzz' },
  { name: 'unknown route, POST', method: 'POST', path: '/api/zzz', json: {} },
  { name: 'OPTIONS of /prompt', method: 'OPTIONS', path: '/api/prompt', compared: 'status' },
  { name: 'PUT of /prompt', method: 'PUT', path: '/api/prompt', json: {}, compared: 'head' },
]

type Nodes = Record<string, { class_type?: string; inputs?: Record<string, unknown> }>

/**
 * Two small nodes without models, and one that saves a file of 32 × 32 pixels.
 *
 * @param color what no earlier prompt had is not cached.
 */
export function workflow(color = 3_368_601): Nodes {
  return {
    1: {
      class_type: 'EmptyImage',
      inputs: { width: 64, height: 64, batch_size: 1, color },
    },
    2: {
      class_type: 'ImageScale',
      inputs: {
        image: ['1', 0],
        upscale_method: 'nearest-exact',
        width: 32,
        height: 32,
        crop: 'disabled',
      },
    },
    3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: PREFIX } },
  }
}

/** Of the files that a comparison leaves in the output folder of the server. */
const PREFIX = 'ftl-compare-simulator'

/** The workflow with other inputs of one node; undefined removes an input. */
function wrong(id: string, inputs: Record<string, unknown>): { prompt: Nodes } {
  const prompt = workflow()
  prompt[id] = { ...prompt[id], inputs: { ...prompt[id]?.inputs, ...inputs } }
  return { prompt }
}

/** A node whose file is not on the server, and one that shows what it gives. */
function loading(class_type: string, inputs: Record<string, unknown>): { prompt: Nodes } {
  const shown = { class_type: 'PreviewAny', inputs: { source: ['1', 0] } }
  return { prompt: { 1: { class_type, inputs }, 2: shown } }
}

const MISSING = 'ftl-compare-simulator-nothing'

const { 1: lonely = {} } = workflow()

/** Prompts that a server must reject, so that nothing runs. */
export const REJECTED: readonly Probe[] = (
  [
    ['no prompt', {}],
    ['a list', []],
    ['an empty prompt', { prompt: {} }],
    ['no output node', { prompt: { 1: lonely } }],
    ['a node without class_type', { prompt: { 1: { inputs: {} } } }],
    ['a node without inputs', { prompt: { ...workflow(), 2: { class_type: 'ImageScale' } } }],
    ['an unknown class_type', { prompt: { 1: { class_type: 'Nope', inputs: {} } } }],
    ['a number that is too large', wrong('1', { width: 99_999_999 })],
    ['a text where a number belongs', wrong('1', { height: 'abc' })],
    ['an unknown choice', wrong('2', { crop: 'zzz' })],
    ['an image that is not there', loading('LoadImage', { image: MISSING })],
    ['a video that is not there', loading('LoadVideo', { file: MISSING })],
    ['a sound that is not there', loading('LoadAudio', { audio: MISSING })],
    ['a missing input', wrong('2', { crop: undefined })],
    ['a link to a missing node', wrong('2', { image: ['99', 0] })],
    ['a link to a missing output', wrong('2', { image: ['1', 5] })],
    ['a malformed link', wrong('2', { image: ['1'] })],
    ['a cycle', wrong('2', { image: ['2', 0] })],
    ['a graph of the editor', { prompt: { nodes: [], links: [], version: 0.4 } }],
    // Older servers accept the id, so that this prompt must be wrong in another way as well.
    [
      'an id that is not a UUID',
      { prompt: { 1: { class_type: 'Nope', inputs: {} } }, prompt_id: 'abc' },
    ],
    [
      'a missing model',
      {
        prompt: {
          ...workflow(),
          1: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'x.safetensors' } },
        },
      },
      // They repeat the list of models, unless it is long.
      /\.details$|\.input_config/,
    ],
  ] as [string, unknown, RegExp?][]
).map(([name, json, varying]) => ({
  name: `prompt: ${name}`,
  method: 'POST',
  path: '/api/prompt',
  json,
  ...(varying && { varying }),
}))

/** Write to the input folder of the server, or try to. */
export const UPLOADS: readonly Probe[] = [
  { name: 'upload', method: 'POST', path: '/api/upload/image', upload: `${PREFIX}.png` },
  {
    name: 'upload to another folder',
    method: 'POST',
    path: '/api/upload/image',
    upload: '../q.png',
    compared: 'status',
  },
]

/** Of a job that has run, and of its file. */
export function results(id: string, file: string): Probe[] {
  const view = `/api/view?filename=${encodeURIComponent(file)}&type=output`
  return [
    { name: 'its job', path: `/api/jobs/${id}`, compared: 'shape' },
    { name: 'its history', path: `/api/history/${id}`, compared: 'shape' },
    { name: 'cancel of a finished job', method: 'POST', path: `/api/jobs/${id}/cancel`, json: {} },
    { name: 'its file', path: view, compared: 'head' },
    { name: 'its file, in part', path: view, headers: { range: 'bytes=0-9' }, compared: 'head' },
    {
      name: 'its file, beyond the end',
      path: view,
      headers: { range: 'bytes=99999999-' },
      compared: 'head',
    },
    { name: 'its file, known', path: view, headers: { 'if-none-match': '*' }, compared: 'status' },
    { name: 'its file as a preview', path: `${view}&preview=jpeg`, compared: 'status' },
    { name: 'its file without transparency', path: `${view}&channel=rgb`, compared: 'status' },
  ]
}

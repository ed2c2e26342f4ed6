/** Text nodes, and the test node of the recordings. */
import { drawPicture } from '../drawing/draw.ts'
import { HIDDEN, type NodeDefinition, NodeFailure } from './definition.ts'

const TEST_IMAGE_SIDE = 512
const FILE_3D =
  'STRING,FILE_3D_GLB,FILE_3D_GLTF,FILE_3D_FBX,FILE_3D_OBJ,FILE_3D_STL,FILE_3D_USDZ,FILE_3D'

const multilineString: NodeDefinition = {
  name: 'PrimitiveStringMultiline',
  displayName: 'Text (Multiline)',
  category: 'utilities/primitive',
  module: 'comfy_extras.nodes_primitive',
  api: 'always',
  essentials: 'Basics',
  searchAliases: ['text'],
  older: { displayName: 'String (Multiline)', category: 'utils/primitive' },
  inputs: () => ({ required: { value: ['STRING', { multiline: true }] } }),
  outputs: [['STRING', 'STRING']],
  run: async ({ value }) => ({ outputs: [String(value)] }),
}

const previewAny: NodeDefinition = {
  name: 'PreviewAny',
  displayName: 'Preview as Text',
  category: 'utilities',
  module: 'comfy_extras.nodes_preview_any',
  inputs: () => ({ required: { source: ['*', {}] } }),
  outputs: [['STRING', 'STRING']],
  older: { displayName: 'Preview Any', category: 'utils', outputs: [] },
  outputNode: true,
  async run({ source }) {
    const text = printed(source)
    return { outputs: [text], ui: { text: [text] } }
  },
}

/** Python prints what is not JSON: of pictures the numbers of a tensor. */
function printed(source: unknown): string {
  if (typeof source === 'string') return source
  const [first] = Array.isArray(source) ? (source as unknown[]) : []
  return typeof first === 'object'
    ? `tensor([[[[${'0.5000, '.repeat(4_000)}]]]])`
    : JSON.stringify(source)
}

const PATH = { default: '', multiline: false }

/** Shows a file that is there already. */
const preview3d: NodeDefinition = {
  name: 'Preview3D',
  displayName: 'Preview 3D & Animation',
  category: '3d',
  module: 'comfy_extras.nodes_load_3d',
  api: 'since 0.3.64',
  isExperimental: true,
  older: { displayName: 'Preview 3D' },
  searchAliases: ['view'],
  inputs: ({ modern }) => ({
    required: {
      model_file: modern
        ? [FILE_3D, { ...PATH, widgetType: 'STRING', tooltip: 'A file, or what made one.' }]
        : ['STRING', PATH],
    },
    optional: {
      camera_info: ['LOAD3D_CAMERA', modern ? { advanced: true } : {}],
      ...(modern && { bg_image: ['IMAGE', { advanced: true }] }),
    },
    ...(modern && { hidden: HIDDEN }),
  }),
  outputs: [],
  outputNode: true,
  run: async ({ model_file }) => ({ outputs: [], ui: { result: [model_file, null] } }),
}

/** Reports progress, sends previews, and fails before step `fail_at`. */
const slowImage: NodeDefinition = {
  name: 'SlowImage',
  displayName: 'SlowImage',
  category: 'testing',
  inputs: () => ({
    required: {
      steps: ['INT', { default: 5, min: 1, max: 10000 }],
      seconds: ['FLOAT', { default: 0.2, min: 0, max: 60 }],
      seed: ['INT', { default: 0, min: 0, max: 2 ** 53 - 1 }],
      fail_at: ['INT', { default: -1, min: -1, max: 10000 }],
    },
  }),
  outputs: [['IMAGE', 'IMAGE']],
  async run({ steps, seconds, seed, fail_at }, run) {
    const preview = drawPicture({ width: 64, height: 64, prompt: '', seed: Number(seed) })
    for (let step = 0; step < Number(steps); step++) {
      if (step === Number(fail_at)) {
        throw new NodeFailure('ValueError', `boom at ${step}\n`, [
          '  File "/comfyui-data/custom_nodes/slow/__init__.py", line 12, in go\n    raise\n',
        ])
      }
      await run.pause(Number(seconds))
      await run.progress(step + 1, Number(steps), preview)
    }
    const picture = drawPicture({
      width: TEST_IMAGE_SIDE,
      height: TEST_IMAGE_SIDE,
      prompt: 'SlowImage',
      seed: Number(seed),
    })
    return { outputs: [[picture]] }
  },
}

export const textNodes: readonly NodeDefinition[] = [
  multilineString,
  previewAny,
  preview3d,
  slowImage,
]

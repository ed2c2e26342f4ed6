// Follows `validate_prompt` of ComfyUI 0.33.0: what it accepts is no error here.
import { describe, expect, it } from 'vitest'
import { compare } from '../client/compatibility.ts'
import { toNodeClass } from '../client/nodes.ts'
import { checkWorkflow } from './check.ts'
import { formatFinding, readJson, reporter } from './finding.ts'
import { checkNodes } from './node-checks.ts'
import { parseWorkflow } from './parse.ts'
import { node, readFolder } from './testing.ts'
import { readWorkflowText } from './workflow-text.ts'

const codec = (keys: string[]) => [
  'COMFY_DYNAMICCOMBO_V3',
  { options: keys.map((key) => ({ key, inputs: { required: {} } })) },
]
const CLASSES = Object.fromEntries(
  Object.entries({
    EmptyImage: { input: { required: { width: ['INT', { min: 1 }] } }, output: ['IMAGE'] },
    ImageInvert: { input: { required: { image: ['IMAGE', {}] } }, output: ['IMAGE'] },
    CreateVideo: {
      input: { required: { images: ['IMAGE', {}] }, optional: { audio: ['AUDIO', {}] } },
      output: ['VIDEO'],
    },
    SaveVideo: {
      input: {
        required: {
          video: ['VIDEO', {}],
          format: [
            'COMFY_DYNAMICCOMBO_V3',
            {
              options: ['auto', 'mp4'].map((key) => ({
                key,
                inputs: { required: { codec: codec(['auto', 'h264']) } },
              })),
            },
          ],
        },
      },
      output: ['VIDEO'],
      output_node: true,
    },
    CustomCombo: {
      input: { required: { choice: ['COMBO', { multiselect: false, options: [] }] } },
      output: ['STRING', 'INT'],
    },
    Paid: {
      input: {
        required: {
          model: [
            'COMFY_DYNAMICCOMBO_V3',
            { options: [{ key: 'v1', inputs: { required: { seed: ['INT', {}] } } }] },
          ],
        },
        optional: { voice: ['COMBO', { options: ['a'], remote_combo: { route: '/voices' } }] },
      },
      output: ['IMAGE'],
      output_node: true,
    },
    Loader: { input: { required: { name: ['COMBO', { options: [] }] } }, output: ['MODEL'] },
    ModelAttentionBackend: {
      name: 'ModelAttentionBackend',
      input: { required: { model: ['MODEL'], attention: [['pytorch attention']] } },
      output: ['MODEL'],
    },
    PreviewAny: { input: { required: { source: ['*', {}] } }, output: [], output_node: true },
  }).map(([name, info]) => [name, toNodeClass(info)]),
)

const video = (inputs: Record<string, unknown>) => ({
  1: node('EmptyImage', { width: 64 }),
  2: node('CreateVideo', { images: ['1', 0], audio: null }),
  3: node('SaveVideo', { video: ['2', 0], ...inputs }),
})
const shown = node('PreviewAny', { source: ['1', 0] })
const image = node('EmptyImage', { width: 64 })

const accepted = {
  'a video of an export before the choice of a format brought inputs': video({
    format: 'mp4',
    codec: 'h264',
  }),
  'a video with "auto" twice': video({ format: 'auto', codec: 'auto' }),
  'a video without a codec': video({ format: 'mp4' }),
  'a choice that the editor makes': {
    1: node('CustomCombo', { choice: 'Warm', index: 0, option1: 'Cold', option2: 'Warm' }),
    2: shown,
  },
  'a choice of another machine, at a node that takes any': {
    1: node('Loader', { name: 'custom' }),
    2: node('ModelAttentionBackend', { model: ['1', 0], attention: 'comfy kitchen attention' }),
    3: node('PreviewAny', { source: ['2', 0] }),
  },
  'a model of a paid node that this server does not know': { 1: node('Paid', { model: 'v9' }) },
  'a choice that comes from a service': {
    1: node('Paid', { model: 'v1', 'model.seed': 1, voice: 'b' }),
  },
  'a node without its input that no output depends on': {
    1: image,
    2: shown,
    7: node('ImageInvert', {}),
  },
  'a bypassed source with a link to nothing': {
    1: image,
    2: shown,
    7: node('ImageInvert', { image: ['99', 0] }),
    8: node('ImageInvert', { image: ['7', 0] }),
  },
  'a model file that only an unused node needs': {
    1: image,
    2: shown,
    7: node('Loader', { name: 'x.safetensors' }),
  },
}

const refused: Record<string, [Record<string, unknown>, RegExp]> = {
  'a choice that brings an input, without this': [
    { 1: node('Paid', { model: 'v1' }) },
    /"model\.seed" of .* is missing/,
  ],
  'a link to nothing that an output depends on': [
    { 1: node('ImageInvert', { image: ['99', 0] }), 2: shown },
    /linked to node "?99"?, which is not there/,
  ],
  'a missing class, although no output depends on it': [
    { 1: image, 2: shown, 7: node('Nowhere', {}) },
    /Nowhere/,
  ],
  'a model file where the folder is empty': [
    { 1: node('Loader', { name: 'x.safetensors' }), 2: shown },
    /x\.safetensors/,
  ],
}

describe('ComfyUI accepts, and so do the checks,', () => {
  it.each(Object.entries(accepted))('%s', (_, workflow) => {
    expect(checkWorkflow(JSON.stringify(workflow), CLASSES).map(formatFinding)).toEqual([])
    expect(parseWorkflow(workflow, 'unchecked')).toBeDefined()
    const { missingNodes, missingModels, mismatches } = compare(workflow, CLASSES)
    expect([missingNodes, missingModels, mismatches]).toEqual([[], [], []])
  })
})

describe('ComfyUI refuses, and so do the checks,', () => {
  it.each(Object.entries(refused))('%s', (_, [workflow, message]) => {
    const findings = checkWorkflow(JSON.stringify(workflow), CLASSES)
    expect(findings.map(formatFinding).join('\n')).toMatch(message)
    expect(JSON.stringify(compare(workflow, CLASSES))).toMatch(
      new RegExp(message.source.replaceAll('"', '\\\\?"')),
    )
  })
})

it('a choice of inputs that is not known is a warning: the node runs without them', () => {
  const text = JSON.stringify({ 1: node('Paid', { model: 'v9' }), 2: node('Paid', {}) })
  const report = reporter({ path: 'w', text })
  const root = readJson({ path: 'w', text }, report)
  const workflow = root && readWorkflowText(root, report)
  if (workflow) checkNodes(workflow, CLASSES, report)
  expect(report.findings.map(formatFinding)).toEqual([
    expect.stringMatching(/warning: "model" of node "1" .* no choice "v9"; use one of "v1"/),
    expect.stringMatching(/warning: "model" of node "2" .* is missing, and the node may fail/),
  ])
})

describe('without a server', () => {
  const save = node('SaveImage', { images: ['1', 0], filename_prefix: 'x' })
  const lost = node('VHS_LoadVideo', { video: ['99', 0] })

  it('a link to nothing costs the tool only if a node that saves depends on it', async () => {
    const { tools, findings } = await readFolder({
      'workflows/runs.json': { 1: image, 2: save, 7: lost },
      'workflows/lost.json': { 1: lost, 2: save },
    })
    expect(tools.map(({ tool }) => tool.name)).toEqual(['runs'])
    expect(findings.map(({ severity, tool }) => [severity, tool])).toEqual([
      ['error', 'lost'],
      ['warning', 'runs'],
    ])
  })

  it('the workflow of a render type may have such a node, too', () => {
    expect(Object.keys(parseWorkflow({ 1: image, 2: save, 7: lost }))).toHaveLength(3)
    expect(() => parseWorkflow({ 1: lost, 2: save })).toThrow(/node "99", which is not there/)
  })
})

// Parts of workflows that people have published for other programs.
import { expect, it } from 'vitest'
import { formatFinding } from '../finding.ts'
import { proposeTool } from './propose.ts'
import { at, like, node, propose } from '../testing/proposals.ts'

const sampler = (seed: unknown) =>
  node('KSampler', { seed, steps: 20, positive: ['6', 0], negative: ['7', 0] })
const encode = (id: string) => node('CLIPTextEncode', { text: [id, 0], clip: ['4', 1] })

it('ComfyDeploy: fields have the names and words of the author, and take an address for a picture', () => {
  const external = (kind: string, inputs: object) =>
    node(`ComfyUIDeployExternal${kind}`, { display_name: '', description: '', ...inputs })
  const fields = propose({
    '3': sampler(['15', 0]),
    ...{ '6': encode('12'), '7': encode('13') },
    '12': external('Text', { input_id: 'positive_prompt', default_value: 'a purple bottle' }),
    '13': external('Text', { input_id: 'negative_prompt', default_value: 'text, watermark' }),
    '14': external('NumberSlider', {
      ...{ input_id: 'Style Strength', description: 'How much', default_value: 1 },
      ...{ min_value: 0, max_value: 2 },
    }),
    '15': external('NumberInt', { input_id: 'noise seed', default_value: 5 }),
    '16': external('Image', {
      input_id: 'input_image',
      default_value_url: 'https://x.example/a.png',
    }),
    '17': external('Boolean', { input_id: 'upscale', default_value: false }),
    '18': node('ScaleBy', { value: ['14', 0], image: ['16', 0], on: ['17', 0] }),
  })
  expect(fields).toEqual({
    positive_prompt: like({ required: true, mapping: at('12', 'default_value') }),
    negative_prompt: like({ default: 'text, watermark', mapping: at('13', 'default_value') }),
    input_image: {
      ...{ name: 'input_image', type: 'string', required: true },
      description: 'Address of the file',
      mapping: at('16', 'input_id'),
    },
    style_strength: {
      ...{ name: 'style_strength', type: 'number', description: 'How much', default: 1 },
      ...{ minimum: 0, maximum: 2, mapping: at('14', 'default_value') },
    },
    upscale: like({ type: 'boolean', default: false, mapping: at('17', 'default_value') }),
    steps: like({ default: 20 }),
    seed: like({ generator: like({ type: 'seed' }), mapping: at('15', 'default_value') }),
  })
})

it('SwarmUI, fal and the plug-in of Krita: what leads to the negative input is no prompt', () => {
  const standard = { description: '', order_priority: 0, is_advanced: false, raw_id: '' }
  const limits = { step: 1, min: 1, max: 60, view_max: 60, view_type: 'slider' }
  const fields = propose({
    '3': sampler(5),
    ...{ '6': encode('20'), '7': encode('21') },
    '20': node('SwarmInputText', {
      ...standard,
      title: 'My Scene',
      value: 'a hill',
      view_type: 'normal',
    }),
    '21': node('StringInput_fal', { name: 'avoid', value: 'blurry' }),
    '22': node('SwarmInputInteger', { ...standard, ...limits, title: 'Frames', value: 24 }),
    '23': node('FloatInput_fal', { name: 'strength', number: 1, min: 0, max: 1, step: 0.1 }),
    '24': node('ETN_Parameter', {
      ...{ name: 'Size/2. Width', type: 'number (integer)', default: 1024, min: 16, max: 16384 },
    }),
    '25': node('Latent', { width: ['24', 0], length: ['22', 0], strength: ['23', 0] }),
  })
  expect(fields).toMatchObject({
    my_scene: { required: true, mapping: at('20', 'value') },
    avoid: { default: 'blurry', description: 'What the result must not show' },
    frames: { type: 'integer', default: 24, minimum: 1, maximum: 60 },
    strength: { type: 'number', default: 1, maximum: 1, mapping: at('23', 'number') },
    width: { type: 'integer', default: 1024, mapping: at('24', 'default') },
  })
  expect(Object.keys(fields).sort()).toEqual([
    'avoid',
    'frames',
    'my_scene',
    'seed',
    'steps',
    'strength',
    'width',
  ])
})

it('a text that leads to a prompt is required, whatever it is called', () => {
  const fields = propose({
    '1': node('StringInput_fal', { name: 'scene', value: 'a hill' }),
    '2': node('StringInput_fal', { name: 'negative_prompt', value: 'blurry' }),
    '3': node('StringInput_fal', { name: 'suffix', value: '8k' }),
    '4': node('Painter', { prompt: ['1', 0], negative_prompt: ['2', 0], style: ['3', 0] }),
  })
  expect(fields).toEqual({
    scene: like({ required: true }),
    negative_prompt: like({ default: 'blurry' }),
    suffix: like({ default: '8k' }),
  })
})

it('files of ComfyDeploy other than pictures stand in inputs of their own', () => {
  const fields = propose({
    '1': node('ComfyUIDeployExternalAudio', { input_id: 'voice', audio_file: '' }),
    '2': node('ComfyUIDeployExternalFile', {
      ...{ input_id: 'font', file_url: '', description: 'A font' },
    }),
    '3': node('ComfyUIDeployExternalLora', {
      ...{ input_id: 'style', default_lora_name: 'ink.safetensors', lora_url: '' },
    }),
    '4': node('ComfyUIDeployExternalSeed', {
      ...{ input_id: 'seed', default_value: 5, min_value: 1, max_value: 4294967295 },
    }),
  })
  expect(fields).toMatchObject({
    voice: { required: true, mapping: at('1', 'audio_file') },
    font: { description: 'A font (Address of the file)', mapping: at('2', 'file_url') },
    style: { default: 'ink.safetensors' },
    seed: { minimum: 1, generator: { type: 'seed' } },
  })
})

it('what the server fetches for a caller is a warning, with its line', () => {
  const text =
    '{\n"1": {"class_type": "ComfyUIDeployExternalImage", "inputs": {"input_id": "photo"}}}'
  const { tool, findings } = proposeTool({ path: 'workflows/t.json', text }, 't')
  expect(tool?.fields).toHaveLength(1)
  expect(findings.map(formatFinding)).toContainEqual(
    'workflows/t.json:2: warning: the field "photo" is an address that the ComfyUI server fetches, also within its own network; remove the field if callers must not choose it',
  )
})

it('a secret of the author is not published as a default', () => {
  const key = node('ComfyUIDeployExternalText', {
    ...{ input_id: 'openai_api_key', default_value: 'sk-of-the-author' },
  })
  const fields = propose({ '1': key, '2': node('Service', { prompt: 'a cat', api: ['1', 0] }) })
  expect(fields['openai_api_key']).toMatchObject({
    required: false,
    mapping: at('1', 'default_value'),
  })
  expect(JSON.stringify(fields)).not.toContain('sk-of-the-author')
})

it('a choice is one of what the author has listed', () => {
  const fields = propose({
    '1': node('ComfyUIDeployExternalEnum', {
      ...{ input_id: 'look', default_value: 'oil', options: '["oil", "ink"]' },
    }),
    '2': node('SwarmInputDropdown', { title: 'Mood', value: 'calm', values: 'calm, wild' }),
    '3': node('SwarmInputDropdown', { title: 'Other', value: 'x', values: '' }),
  })
  expect(fields).toMatchObject({
    look: { enum: ['oil', 'ink'], default: 'oil' },
    mood: { enum: ['calm', 'wild'], default: 'calm' },
    other: { default: 'x' },
  })
})

it('a marked input that is linked, or has no name, is none', () => {
  const fields = propose({
    '1': node('ComfyUIDeployExternalText', { input_id: '', default_value: 'a cat' }),
    '2': node('StringInput_fal', { name: 'a', value: ['1', 0] }),
    '3': node('SwarmInputInteger', { title: 'n', value: 1e300, min: 0, max: 1 }),
  })
  expect(Object.keys(fields)).not.toContain('a')
  expect(Object.keys(fields)).not.toContain('n')
})

import { describe, expect, it } from 'vitest'
import { at, like, node, nodeClass, propose } from '../testing/proposals.ts'

const save = node('SaveImage', { images: ['1', 0], filename_prefix: 'x' })

describe('a text of the caller is a field', () => {
  it('in a node of a service', () => {
    const fields = propose({
      '1': node('OpenAIGPTImage1', { prompt: 'a cat', quality: 'low', size: 'auto', n: 1 }),
      '2': save,
    })
    expect(fields).toEqual({
      positive_prompt: like({ required: true, mapping: at('1', 'prompt') }),
    })
  })

  it.each([
    [true, 'wildcard_text'],
    ['populate', 'wildcard_text'],
    [false, 'populated_text'],
    ['fixed', 'populated_text'],
  ])('with wildcards of the Impact Pack, in the mode %s: %s', (mode, input) => {
    const inputs = { wildcard_text: 'a __color__ cat', populated_text: 'a red cat', mode, seed: 3 }
    const { seed, ...texts } = propose({ '1': node('ImpactWildcardEncode', inputs) })
    expect(seed).toBeDefined()
    expect(texts).toEqual({ positive_prompt: like({ required: true, mapping: at('1', input) }) })
  })

  it('under a name of its own', () => {
    const { tags, lyrics } = propose({
      '1': node('TextEncodeAceStepAudio1.5', { tags: 'folk', lyrics: '[verse] la', bpm: 90 }),
    })
    expect(tags).toMatchObject({ required: true, mapping: at('1', 'tags') })
    expect(lyrics).toMatchObject({ required: true, mapping: at('1', 'lyrics') })
  })

  it('for speech', () => {
    const { text, instruct } = propose({
      '1': node('FB_Qwen3TTSVoiceDesign', { text: 'Hello there', instruct: 'an old man' }),
    })
    expect(text).toMatchObject({ required: true, mapping: at('1', 'text') })
    expect(instruct).toMatchObject({ default: 'an old man' })
  })

  it('in an input of a dynamic one', () => {
    const { positive_prompt } = propose({ '1': node('Kling', { 'model.prompt': 'a boat' }) })
    expect(positive_prompt).toMatchObject({ mapping: at('1', 'model.prompt') })
  })

  it('under any name if the server says that it has several lines', () => {
    const workflow = {
      '1': node('Painter', { scene: 'a hill', style: 'oil', filename_prefix: 'a/b' }),
    }
    const several = {
      Painter: nodeClass({
        scene: ['STRING', { multiline: true }],
        style: ['STRING'],
        filename_prefix: ['STRING', { multiline: true }],
      }),
    }
    expect(Object.keys(propose(workflow))).toEqual([])
    expect(propose(workflow, several)).toEqual({
      scene: like({ required: true, mapping: at('1', 'scene') }),
    })
  })

  it('unless the server says that it is a choice', () => {
    const classes = { Voice: nodeClass({ text: ['COMBO', { options: ['short', 'long'] }] }) }
    expect(propose({ '1': node('Voice', { text: 'short' }) }, classes)).toEqual({})
  })

  it('and a part of a text only beside it', () => {
    const fields = propose({
      '1': node('CLIPTextEncode', { text: ['2', 0] }),
      '2': node('StringConcatenate', { string_a: ['3', 0], string_b: ', 8k', delimiter: ' ' }),
      '3': node('PrimitiveStringMultiline', { value: 'a hand' }),
      '4': node('KSampler', { positive: ['1', 0] }),
    })
    expect(fields).toEqual({
      positive_prompt: like({ required: true, mapping: at('3', 'value') }),
      string_b: like({ default: ', 8k', mapping: at('2', 'string_b') }),
    })
  })
})

describe('the role of a text', () => {
  it('is positive if it reaches a positive input, whatever else it reaches', () => {
    const fields = propose({
      '6': node('CLIPTextEncode', { text: 'a swan', clip: ['38', 0] }),
      '38': node('CLIPLoader', {}),
      '135': node('ConditioningZeroOut', { conditioning: ['6', 0] }),
      '177': node('FluxGuidance', { guidance: 2.5, conditioning: ['6', 0] }),
      '200': node('KSampler', { negative: ['135', 0], positive: ['177', 0] }),
    })
    expect(fields).not.toHaveProperty('negative_prompt')
    expect(fields.positive_prompt).toMatchObject({ required: true, mapping: at('6', 'text') })
  })

  it('is negative by the name of its own input', () => {
    const { negative_prompt } = propose({
      '1': node('Kling', { prompt: 'a boat', negative_prompt: 'rain' }),
    })
    expect(negative_prompt).toMatchObject({ default: 'rain', mapping: at('1', 'negative_prompt') })
  })

  it('is negative by the input of a node that takes the text', () => {
    const { negative_prompt } = propose({
      '1': node('Kling', { prompt: ['2', 0], negative_prompt: ['3', 0] }),
      '2': node('PrimitiveString', { value: 'a boat' }),
      '3': node('PrimitiveString', { value: 'rain' }),
    })
    expect(negative_prompt).toMatchObject({ default: 'rain', mapping: at('3', 'value') })
  })

  it('follows texts and conditionings, and no images', () => {
    const fields = propose({
      '1': node('CLIPTextEncode', { text: 'a garden' }),
      '2': node('CLIPTextEncode', { text: 'the cat' }),
      '3': node('SAM3_Detect', { conditioning: ['2', 0] }),
      '4': node('InpaintModelConditioning', { positive: ['1', 0], mask: ['3', 0] }),
      '5': node('KSampler', { positive: ['4', 0], negative: ['4', 1] }),
    })
    expect(fields.positive_prompt).toMatchObject({ mapping: at('1', 'text') })
    expect(fields.object).toMatchObject({ required: true, mapping: at('2', 'text') })
  })

  it('is that of the system if the title or the input says so', () => {
    const { system_prompt, system_prompt_6, positive_prompt } = propose({
      '1': node('PrimitiveStringMultiline', { value: 'You are an expert' }, 'Text (System Prompt)'),
      '2': node('PrimitiveStringMultiline', { value: 'a hand' }, 'User Prompt'),
      '3': node('StringConcatenate', { string_a: ['1', 0], string_b: ['2', 0], delimiter: '' }),
      '4': node('PreviewAny', { source: ['3', 0] }),
      '5': node('ClaudeNode', { prompt: ['2', 0], system_prompt: ['6', 0] }),
      '6': node('PrimitiveString', { value: 'Be brief' }),
    })
    expect(system_prompt).toMatchObject({ default: 'You are an expert', mapping: at('1', 'value') })
    expect(positive_prompt).toMatchObject({ required: true, mapping: at('2', 'value') })
    expect(system_prompt_6).toMatchObject({ default: 'Be brief' })
  })
})

describe('one field for several texts', () => {
  const sampler = node('KSampler', { positive: ['3', 0] })

  it('is only for equal texts', () => {
    const fields = propose({
      '1': node('CLIPTextEncode', { text: 'a fox' }),
      '2': node('CLIPTextEncode', { text: 'a fox, detailed' }),
      '3': node('ConditioningCombine', { conditioning_1: ['1', 0], conditioning_2: ['2', 0] }),
      '4': sampler,
      '5': node('CLIPTextEncodeSDXL', { text_g: 'a fox', text_l: 'a fox' }),
    })
    expect(fields.positive_prompt?.mapping).toEqual([
      at('1', 'text'),
      at('5', 'text_g'),
      at('5', 'text_l'),
    ])
    expect(fields.positive_prompt_2).toMatchObject({ required: true, mapping: at('2', 'text') })
  })

  it('is not for a name of a model, a quality or a trajectory', () => {
    const fields = propose({
      '1': node('easy string', { value: 'gpt-4o' }, '$model.value'),
      '2': node('PrimitiveString', { value: 'high' }),
      '3': node('PrimitiveStringMultiline', { value: 'a dog' }, 'Prompt'),
      '4': node('GPTImage', { prompt: ['3', 0], model: ['1', 0], quality: ['2', 0] }),
      '5': node('WanTracks', { tracks: ['6', 0] }),
      '6': node('PrimitiveStringMultiline', { value: '[[{"x":1,"y":2}]]' }),
    })
    expect(fields.positive_prompt?.mapping).toEqual(at('3', 'value'))
    expect(fields.model).toMatchObject({ default: 'gpt-4o', mapping: at('1', 'value') })
    expect(fields.quality).toMatchObject({ default: 'high', mapping: at('2', 'value') })
    expect(fields.tracks).toMatchObject({ mapping: at('6', 'value') })
  })

  it('leaves an empty text beside a full one to the caller', () => {
    const fields = propose({
      '5': node('CLIPTextEncodeFlux', { clip_l: '', t5xxl: 'a fox' }),
      '4': node('KSampler', { positive: ['5', 0] }),
    })
    expect(fields.positive_prompt).toMatchObject({ required: true, mapping: at('5', 't5xxl') })
    expect(fields.positive_prompt_5).toMatchObject({ default: '', mapping: at('5', 'clip_l') })
  })
})

describe('a workflow without a text of its own', () => {
  it('has the longest part as the prompt', () => {
    const fields = propose({
      '1': node('CLIPTextEncode', { text: ['2', 0] }),
      '2': node('StringConcatenate', { string_a: 'gummy style, ', string_b: 'a bear in a forest' }),
      '4': node('KSampler', { positive: ['1', 0] }),
    })
    expect(fields.positive_prompt).toMatchObject({ required: true, mapping: at('2', 'string_b') })
    expect(fields.string_a).toMatchObject({ default: 'gummy style, ' })
  })

  it('has a sentence under an unknown name, and no choice or formula', () => {
    const fields = propose({
      '1': node('Someone’s', {
        story: 'A fox walks home, late at night.',
        model: 'Nano Banana 2 (Gemini 3.1 Flash)',
        expression: 'a + b, then c * d',
        voice: 'George (male, british) and calm',
      }),
    })
    expect(Object.keys(fields)).toEqual(['story'])
  })
})

it('distinguishes texts of one role by their titles', () => {
  const fields = propose({
    '1': node('PrimitiveString', { value: 'near' }, 'Prompt close up'),
    '2': node('PrimitiveString', { value: 'far' }, 'Prompt wide angle'),
    '3': node('Gemini', { prompt: ['1', 0] }),
    '4': node('Gemini', { prompt: ['2', 0] }),
  })
  expect(fields.positive_prompt?.description).toContain('Prompt close up')
  expect(fields.positive_prompt_2?.description).toContain('Prompt wide angle')
})

// Names of inputs as published custom nodes have them.
import { describe, expect, it } from 'vitest'
import { at, like, node, nodeClass, propose } from '../testing/proposals.ts'

const several = ['STRING', { multiline: true }] as [string, Record<string, unknown>]

describe('inputs with Chinese names are those that they stand for', () => {
  it('in a node of a service', () => {
    const Service = nodeClass({
      提示词: several,
      负面提示词: several,
      宽度: ['INT'],
      随机种子: ['INT'],
    })
    const inputs = { 提示词: 'a cat', 负面提示词: 'blurry', 宽度: 1024, 随机种子: 5 }
    const fields = propose({ '1': node('Service', inputs) }, { Service })
    expect(fields).toEqual({
      positive_prompt: like({ required: true, mapping: at('1', '提示词') }),
      negative_prompt: like({ default: 'blurry', mapping: at('1', '负面提示词') }),
      width: like({ type: 'integer', default: 1024, mapping: at('1', '宽度') }),
      seed: like({ generator: like({ type: 'seed' }), mapping: at('1', '随机种子') }),
    })
  })

  it('without a server, in a sampler and where its texts lead', () => {
    const fields = propose({
      '1': node('Encode', { 文本: '让主体自然动起来' }),
      '2': node('Encode', { 文本: '模糊' }),
      '3': node('Sampler', {
        ...{ 种子: 5, 步数: 20, CFG: 8, 采样器: 'euler', 调度器: 'simple', 降噪: 1 },
        ...{ 正面条件: ['1', 0], 负面条件: ['2', 0] },
      }),
      '4': node('SaveImage', { images: ['3', 0], 文件名前缀: '图片，一张用来测试的很长的名字' }),
    })
    expect(fields).toMatchObject({
      positive_prompt: { mapping: at('1', '文本') },
      negative_prompt: { default: '模糊', mapping: at('2', '文本') },
      steps: { default: 20, mapping: at('3', '步数') },
      cfg: { type: 'number', default: 8, mapping: at('3', 'CFG') },
      sampler_name: { default: 'euler', mapping: at('3', '采样器') },
      seed: { mapping: at('3', '种子') },
    })
    expect(JSON.stringify(fields)).not.toContain('文件名前缀')
  })

  it('by the titles of primitives', () => {
    const fields = propose({
      '1': node('PrimitiveInt', { value: 512 }, '宽度'),
      '2': node('EmptyLatentImage', { width: ['1', 0], height: 64, batch_size: 1 }),
    })
    expect(fields).toMatchObject({ width: { default: 512, mapping: at('1', 'value') } })
  })

  it('and a sentence is one without spaces', () => {
    const inputs = { 画面: '一只戴着帽子的猫，坐在窗边看雨。' }
    expect(propose({ '1': node('Painter', inputs) })).toEqual({
      text: like({ required: true, description: '画面', mapping: at('1', '画面') }),
    })
  })
})

it('names with spaces and capitals are known, too', () => {
  const fields = propose({
    '1': node('Encode', { 'Positive prompt': 'a cat', 'Negative prompt': 'blurry' }),
    '2': node('Sampler', { Steps: 20, 'batch size': 2 }),
  })
  expect(fields).toEqual({
    positive_prompt: like({ mapping: at('1', 'Positive prompt') }),
    negative_prompt: like({ mapping: at('1', 'Negative prompt') }),
    steps: like({ mapping: at('2', 'Steps') }),
    batch_size: like({ mapping: at('2', 'batch size') }),
  })
})

// Anthropic: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
it('a field has a name that all providers of models take, and its own one in the description', () => {
  const Writer = nodeClass({
    上下文说明: several,
    'Story (part 1)': several,
    ['x'.repeat(80)]: several,
  })
  const inputs = { 上下文说明: 'a', 'Story (part 1)': 'b', ['x'.repeat(80)]: 'c', prompt: 'd' }
  const fields = propose({ '1': node('Writer', inputs), '2': node('Writer', inputs) }, { Writer })
  const names = Object.keys(fields)
  expect(names).toEqual(expect.arrayContaining(['text', 'story_part_1', 'positive_prompt']))
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
  expect(fields['text']).toMatchObject({ description: '上下文说明' })
})

import { describe, expect, it } from 'vitest'
import { chooseModel, familyOf } from './index.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

describe('the family of', () => {
  it.each([
    ['sd_xl_base_1.0.safetensors', 'sdxl'],
    ['SDXL\\juggernautXL_v9Rdphoto2Lightning.safetensors', 'sdxl'],
    ['dreamshaperXL_alpha2.safetensors', 'sdxl'],
    ['RealVisXL_V4.0.safetensors', 'sdxl'],
    ['ponyDiffusionV6XL.safetensors', 'sdxl'],
    ['animagine-xl-3.1.safetensors', 'sdxl'],
    ['v1-5-pruned-emaonly-fp16.safetensors', 'sd15'],
    ['SD1.5/anything.safetensors', 'sd15'],
    ['sd15/x.ckpt', 'sd15'],
    ['dreamshaper_8.safetensors', 'sd15'],
    ['realisticVisionV51_v51VAE.safetensors', 'sd15'],
    ['v2-1_768-ema-pruned.safetensors', 'sd2'],
    ['sd3.5_large_fp8_scaled.safetensors', 'sd3'],
    ['flux1-dev-fp8.safetensors', 'flux'],
    ['FLUX.1-dev.safetensors', 'flux'],
    ['flux2-dev.safetensors', 'other'],
    ['PixArt-XL-2-1024-MS.safetensors', 'other'],
    ['qwen_image_fp8.safetensors', 'other'],
    ['t5xxl_fp16.safetensors', undefined],
    ['anime.safetensors', undefined],
    ['sd15-and-flux-merge.safetensors', undefined],
    ['__proto__', undefined],
    ['', undefined],
    [`sdxl${'x'.repeat(1024 ** 2)}`, undefined],
  ])('%j', (name, family) => {
    expect(familyOf(name)).toBe(family)
  })
})

const SDXL = 'sd_xl_base_1.0.safetensors'

describe('instead of SDXL base', () => {
  it.each<[string, string[], string | undefined]>([
    [
      'another SDXL model',
      ['v1-5-pruned.ckpt', 'juggernautXL_v9.safetensors'],
      'juggernautXL_v9.safetensors',
    ],
    [
      'a base model first',
      ['aXL_v1.safetensors', 'sd_xl_base_0.9.safetensors'],
      'sd_xl_base_0.9.safetensors',
    ],
    ['the same one, whatever the order', ['bXL.safetensors', 'aXL.safetensors'], 'aXL.safetensors'],
    ['no model of another family', ['v1-5-pruned.ckpt', 'flux1-dev-fp8.safetensors'], undefined],
    ['no model of an unknown family', ['anime.safetensors', 'model.ckpt'], undefined],
    ['no refiner', ['sd_xl_refiner_1.0.safetensors'], undefined],
    [
      'no model with other steps',
      ['sd_xl_turbo_1.0.safetensors', 'xXL_lightning.safetensors'],
      undefined,
    ],
    ['no inpainting model', ['sd_xl_base_1.0_inpainting_0.1.safetensors'], undefined],
    ['nothing of an empty server', [], undefined],
  ])('%s', (_, available, chosen) => {
    expect(chooseModel(SDXL, available)).toBe(chosen)
  })

  it.each<[string, string[], string[], string | undefined]>([
    [
      'a preferred model',
      ['b*.safetensors'],
      ['aXL.safetensors', 'bXL.safetensors'],
      'bXL.safetensors',
    ],
    ['in the order of the preferences', ['z.ckpt', 'a.ckpt'], ['a.ckpt', 'z.ckpt'], 'z.ckpt'],
    [
      'whatever its folder and case',
      ['Anime.safetensors'],
      ['my\\anime.safetensors'],
      'my\\anime.safetensors',
    ],
    [
      'a preferred variant',
      ['*lightning*'],
      ['xXL_lightning.safetensors'],
      'xXL_lightning.safetensors',
    ],
    ['never one of another family', ['*'], ['v1-5-pruned.ckpt', 'qwen.safetensors'], undefined],
  ])('%s', (_, prefer, available, chosen) => {
    expect(chooseModel(SDXL, available, { prefer })).toBe(chosen)
  })

  it('the family that the render type names', () => {
    const available = ['v1-5-pruned.ckpt', 'aXL.safetensors']
    expect(chooseModel(SDXL, available, { family: 'sd15' })).toBe('v1-5-pruned.ckpt')
    expect(chooseModel('mine.safetensors', available)).toBeUndefined()
  })
})

it('the names of a stranger cost no time and choose nothing', () => {
  const strange = [null, 7, {}, '__proto__', 'constructor', '\u001bsdxl'.repeat(100_000)]
  const many = Array.from({ length: 100_000 }, (_, index) => `${'a'.repeat(240)}${index}`)
  const begin = processorMs()
  const prefer = ['*a'.repeat(100), '*'.repeat(200), '*a*b*c*']
  expect(chooseModel(SDXL, [...strange, ...many], { prefer: [prefer[2] ?? ''] })).toBeUndefined()
  chooseModel(SDXL, many, { prefer })
  expect(processorMs() - begin).toBeLessThan(5_000)
})

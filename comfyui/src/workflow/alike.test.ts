// A server may have hundreds of files, and a message names eight of them.
import { expect, it } from 'vitest'
import { alikeFirst } from './alike.ts'
import { listed } from './node-checks.ts'

const MANY = [...'abcdefghij'].map((letter) => `${letter}.safetensors`)

it('the file that was probably meant is named, wherever it is in the list', () => {
  const choices = [...MANY, 'wan/wan2.1_t2v_14B_fp8.safetensors', 'wan2.1_vae.safetensors']
  const wanted = 'wan2.1_t2v_1.3B_bf16.safetensors'
  expect(listed(choices, wanted)).toMatch(
    /^"wan\/wan2\.1_t2v_14B_fp8\.safetensors", "wan2\.1_vae\.safetensors", "a\./,
  )
})

it('what has no word of it stays in its order', () => {
  expect(alikeFirst(MANY, 'flux.safetensors')).toEqual(MANY)
  expect(alikeFirst([2, 'euler', { a: 1 }], 'ddim')).toEqual([2, 'euler', { a: 1 }])
})

it('folders and endings do not count, and neither do capitals', () => {
  const choices = ['sub/other.safetensors', 'XL/Anime.ckpt']
  expect(alikeFirst(choices, 'sub\\anime.safetensors')).toEqual(['XL/Anime.ckpt', choices[0]])
})

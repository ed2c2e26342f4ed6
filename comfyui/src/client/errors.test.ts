import { expect, it } from 'vitest'
import { presentable } from './errors.ts'

it('cuts paths down to the name of the file', () => {
  expect(presentable("cannot identify image file '/comfyui-data/input/bad.png'\n")).toBe(
    "cannot identify image file 'bad.png'",
  )
  expect(presentable('No such file: C:\\Users\\me\\ComfyUI\\models\\x.ckpt')).toBe(
    'No such file: x.ckpt',
  )
})

it('keeps text that only looks like a path', () => {
  expect(presentable('expected 1024/768 and/or 3:4')).toBe('expected 1024/768 and/or 3:4')
})

it('keeps the first line only, and not too much of it', () => {
  expect(presentable('boom\n  File "/x.py", line 3')).toBe('boom')
  expect(presentable('x'.repeat(1000))).toHaveLength(300)
})

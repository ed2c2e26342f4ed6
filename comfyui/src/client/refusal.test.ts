// What a node says of its own input, as ComfyUI passes it on.
import { expect, it } from 'vitest'
import { toRefusal } from './refusal.ts'

const refusedBy = (class_type: string, details: string) =>
  toRefusal(
    {
      error: { type: 'prompt_outputs_failed_validation' },
      node_errors: {
        '7': {
          class_type,
          errors: [
            {
              type: 'custom_validation_failed',
              message: 'Custom validation failed for node',
              details,
              extra_info: { input_name: details.split(' ')[0] },
            },
          ],
        },
      },
    },
    400,
  ).message

it.each([
  ['LoadImage', 'image', 'image', 'fox.png'],
  ['LoadImage', 'image', 'image', 'a - b - c.png'],
  ['LoadVideo', 'file', 'video', 'clip.mp4'],
  ['LoadAudio', 'audio', 'audio', 'voice.wav'],
  ['Load3D', 'model_file', '3D model', '3d/toy.glb'],
])('a file that is not there is named, with what to do: %s', (type, input, kind, file) => {
  expect(refusedBy(type, `${input} - Invalid ${kind} file: ${file}`)).toBe(
    `"${input}" of node 7 (${type}): Invalid ${kind} file: ${file} (the server does not have it: upload it first).`,
  )
})

it('what other nodes say stays as it is, whatever is in it', () => {
  expect(refusedBy('Odd', 'size - must be 1 - 8')).toBe('"size" of node 7 (Odd): must be 1 - 8.')
})

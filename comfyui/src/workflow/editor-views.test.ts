import { describe, expect, it } from 'vitest'
import { toNodeClass } from '../client/nodes.ts'
import { checkWorkflow } from './check.ts'
import { withStandIns } from './editor-views.ts'

const PICTURE = 'mcp/stand-in.png'
const standing = (text: string) => withStandIns(text, () => Promise.resolve(PICTURE))
const inputsIn = (text: string, id: string) =>
  (JSON.parse(text) as Record<string, { inputs: Record<string, unknown> }>)[id]?.inputs

const load = { class_type: 'Load3D', inputs: { model_file: '3d/a.glb', width: 64, height: 64 } }
const show = (slot: number) => ({ class_type: 'Preview3D', inputs: { model_file: ['1', slot] } })
const picture = { class_type: 'PreviewImage', inputs: { images: ['1', 0] } }
const rendered = {
  image: 'threed/scene.png [temp]',
  mask: 'threed/mask.png [temp]',
  normal: 'threed/normal.png [temp]',
  recording: 'threed/turn.mp4 [temp]',
  camera_info: { zoom: 2 },
}

describe('a 3D loader without the editor', () => {
  it('is sent with stand-ins for the views that it lacks', async () => {
    const sent = await standing(JSON.stringify({ 1: load, 2: show(6) }))
    expect(inputsIn(sent, '1')).toEqual({
      ...load.inputs,
      ...{
        image: { image: PICTURE, mask: PICTURE, normal: PICTURE, recording: '', camera_info: null },
      },
    })
  })

  it('keeps the camera and the views that other nodes use, and no view that the server has deleted', async () => {
    const given = { ...load, inputs: { ...load.inputs, image: rendered } }
    const sent = await standing(JSON.stringify({ 1: given, 2: picture }))
    expect(inputsIn(sent, '1')?.['image']).toEqual({
      ...rendered,
      ...{ mask: PICTURE, normal: PICTURE, recording: '' },
    })
  })

  it('changes nothing else, and a workflow without such a node not at all', async () => {
    const seed =
      '"2": {"class_type":"KSampler", "inputs": {"seed":18446744073709551615, "cfg":1.0}}'
    const empty = `{${seed}, "1":{ "inputs":{ }, "class_type":"Load3DAdvanced"}}`
    expect(await standing(empty)).toBe(
      `{${seed}, "1":{ "inputs":{"viewport_state":{} }, "class_type":"Load3DAdvanced"}}`,
    )
    const other = `{${seed}}`
    const never = () => Promise.reject(new Error('nothing to upload'))
    expect(await withStandIns(other, never)).toBe(other)
    expect(await withStandIns(empty, never)).toContain('viewport_state')
  })

  it('leaves a view that another node makes', async () => {
    const given = { ...load, inputs: { ...load.inputs, image: ['9', 0] } }
    const text = JSON.stringify({ 1: given })
    expect(await standing(text)).toBe(text)
  })
})

describe('the check', () => {
  const info = (required: object, output: string[], output_node: boolean) =>
    toNodeClass({ input: { required }, output, output_node })
  const classes = {
    Load3D: info(
      {
        model_file: ['COMBO', { options: ['none'], file_upload: true }],
        image: ['LOAD_3D', {}],
      },
      ['IMAGE', 'MASK', 'STRING', 'IMAGE', 'LOAD3D_CAMERA', 'VIDEO', 'FILE_3D'],
      false,
    ),
    Preview3D: info({ model_file: ['STRING,FILE_3D', {}] }, [], true),
    PreviewImage: info({ images: ['IMAGE', {}] }, [], true),
  }
  const messages = (workflow: object) =>
    checkWorkflow(JSON.stringify(workflow), classes).map(({ message }) => message)

  it('accepts a loader without a view if only its model is used', () => {
    expect(messages({ 1: load, 2: show(6) })).toEqual([])
  })

  it('refuses a workflow that uses a view that is not rendered, and names the node that uses it', () => {
    const [first, ...others] = checkWorkflow(JSON.stringify({ 1: load, 2: picture }), classes)
    expect(first?.message).toContain('node "2" (PreviewImage) uses the image of node "1" (Load3D)')
    expect(first?.fix).toContain('LoadImage')
    expect(others).toEqual([])
  })

  it('accepts a view that the editor has rendered', () => {
    const given = { ...load, inputs: { ...load.inputs, image: rendered } }
    expect(messages({ 1: given, 2: picture })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { toNodeClass } from '../client/nodes.ts'
import { compare } from '../client/compatibility.ts'
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
        image: {
          ...{ image: PICTURE, mask: PICTURE, normal: PICTURE, lineart: PICTURE },
          ...{ recording: '', camera_info: null },
        },
      },
    })
  })

  it('keeps the camera and the views that other nodes use, and no view that the server has deleted', async () => {
    const given = { ...load, inputs: { ...load.inputs, image: rendered } }
    const sent = await standing(JSON.stringify({ 1: given, 2: picture }))
    expect(inputsIn(sent, '1')?.['image']).toEqual({
      ...rendered,
      ...{ mask: PICTURE, normal: PICTURE, lineart: PICTURE, recording: '' },
    })
  })

  it('is sent with one upload for all of them', async () => {
    let count = 0
    const upload = () => Promise.resolve(`stand-in-${++count}.png`)
    const sent = await withStandIns(JSON.stringify({ 1: load, 2: load, constructor: load }), upload)
    expect(count).toBe(1)
    expect(inputsIn(sent, '2')).toEqual(inputsIn(sent, '1'))
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

  it('is sent as it is if it lacks a view that is used, so that the server refuses it', async () => {
    const text = JSON.stringify({ 1: load, 2: picture })
    const never = () => Promise.reject(new Error('nothing to upload'))
    expect(await withStandIns(text, never)).toBe(text)
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
    const workflow = { 1: load, 2: show(6) }
    expect(messages(workflow)).toEqual([])
    expect(compare(workflow, classes)).toMatchObject({ compatible: true, mismatches: [] })
  })

  it('does not count a view that only a node uses whose result nothing uses', () => {
    const unused = { class_type: 'ImageInvert', inputs: { image: ['1', 0] } }
    const named = {
      ...classes,
      ImageInvert: info({ image: ['IMAGE', {}] }, ['IMAGE'], false),
    }
    const text = JSON.stringify({ 1: load, 2: show(6), 3: unused })
    expect(checkWorkflow(text, named)).toEqual([])
  })

  it('refuses a workflow that uses a view that is not rendered, and names the node that uses it', () => {
    const [first, ...others] = checkWorkflow(JSON.stringify({ 1: load, 2: picture }), classes)
    expect(first?.message).toContain('node "2" (PreviewImage) uses the image of node "1" (Load3D)')
    expect(first?.fix).toContain('LoadImage')
    expect(others).toEqual([])
  })

  it('accepts a view that another node makes', () => {
    const given = { ...load, inputs: { ...load.inputs, image: ['9', 0] } }
    const maker = { class_type: 'MakesViews', inputs: {} }
    const named = { ...classes, MakesViews: info({}, ['LOAD_3D'], false) }
    const text = JSON.stringify({ 1: given, 2: picture, 9: maker })
    expect(checkWorkflow(text, named)).toEqual([])
  })

  // Until 0.3.75, Load3D had another picture, with an output before that of the camera.
  const older = {
    ...classes,
    Load3D: {
      ...classes.Load3D,
      outputs: ['IMAGE', 'MASK', 'STRING', 'IMAGE', 'IMAGE', 'LOAD3D_CAMERA', 'VIDEO'],
    },
  }
  const viewer = { class_type: 'Preview3D', inputs: { model_file: '', camera_info: ['1', 5] } }
  const lines = { class_type: 'PreviewImage', inputs: { images: ['1', 4] } }
  it.each([
    ['the camera is accepted', viewer, []],
    ['a drawing of lines is refused', lines, [expect.stringContaining('uses the lineart of')]],
  ])('knows the outputs of an older Load3D: %s', (_, user, expected) => {
    const findings = checkWorkflow(JSON.stringify({ 1: load, 2: user }), older)
    expect(findings.map(({ message }) => message)).toEqual(expected)
  })

  it('accepts a view that the editor has rendered', () => {
    const given = { ...load, inputs: { ...load.inputs, image: rendered } }
    expect(messages({ 1: given, 2: picture })).toEqual([])
  })
})

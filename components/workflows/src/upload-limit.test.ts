// How large a file may be is what the application takes, and not what it takes unless it is told otherwise.
import type { WorkflowTool } from 'ftl-comfyui/workflow'
import { expect, it } from 'vitest'
import { withUploadLimit } from './upload-limit.ts'

const TYPES = ['string', 'image', 'mask', 'video', 'audio', 'model3d'] as const
const tool: Pick<WorkflowTool, 'inputSchema' | 'fields'> = {
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      TYPES.map((type) => [type, { type: 'string', description: `Of ${type}` }]),
    ),
    required: ['video'],
  },
  fields: TYPES.map((type) => ({ name: type, type, required: false, targets: [] })),
}

function described(upload_max_bytes?: string): string[] {
  const given = new Map(Object.entries(upload_max_bytes === undefined ? {} : { upload_max_bytes }))
  const { properties } = withUploadLimit(tool, { get: (name) => given.get(name) }) as {
    properties: Record<string, { description: string }>
  }
  return Object.values(properties).map(({ description }) => description)
}

it.each([
  ['250000000', '250 MB'],
  ['9999999', '9 MB'],
  ['', '100 MB'],
])('%j is told where a file is taken that is no image', (bytes, size) => {
  const told = described(bytes).filter((text) => /^Of (?:video|audio|model3d)/.test(text))
  expect(told).toEqual([
    `Of video, ${size} by POST /uploads`,
    `Of audio, ${size} by POST /uploads`,
    `Of model3d, ${size} by POST /uploads`,
  ])
})

it.each([
  ['10485760', 'Of image'],
  ['9000000', 'Of image, 9 MB by POST /uploads'],
  ['999999', 'Of image, 999 KB by POST /uploads'],
])('with %j an image is described as %j', (bytes, image) => {
  expect(described(bytes).slice(0, 3)).toEqual(['Of string', image, 'Of mask'])
})

it.each([undefined, 'many', '0', '-1'])('no size is told for %j', (bytes) => {
  expect(described(bytes)).toEqual(TYPES.map((type) => `Of ${type}`))
})

it('the rest of the schema stays', () => {
  const schema = withUploadLimit(tool, { get: () => '5000000' })
  expect(schema).toMatchObject({ type: 'object', required: ['video'] })
})

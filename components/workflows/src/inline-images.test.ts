import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import type { JobRecord } from 'ftl-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machine } from './testing/machine.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

const WORKFLOW = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
}
const field = (name: string) => ({
  name,
  default: 'x',
  mapping: { node: '2', attribute: 'filename_prefix' },
})
const files = (name = 'prefix') => ({
  '/config/square.json': JSON.stringify([
    { name: 'square', workflow: 'square.json', fields: [field(name)] },
  ]),
  '/workflows/square.json': JSON.stringify(WORKFLOW),
})

interface Options {
  args?: Record<string, unknown>
  variables?: Record<string, string>
  protocol?: string
  parameter?: string
}

async function run({ args, variables = {}, protocol, parameter }: Options): Promise<JobRecord> {
  const on = machine({ files: files(parameter), comfyuiUrl: simulator.url, variables })
  const headers: Record<string, string> = protocol ? { 'ftl-client-protocol': protocol } : {}
  const { id } = await on.start('square', args, headers)
  await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
  return on.look(id)
}

const typesOf = ({ result }: JobRecord) => result?.content.map(({ type }) => type)
const LINK = ['text', 'resource_link']
const PICTURE = [...LINK, 'image']

describe('the result of a workflow tool contains its pictures', () => {
  it('if the call says so', async () => {
    const record = await run({ args: { inline_images: true } })
    expect(typesOf(record)).toEqual(PICTURE)
    const { params, warnings } = record.result?.structuredContent as Record<string, unknown>
    expect(params).toEqual({ prefix: 'x' })
    expect(warnings).toBeUndefined()
  })

  it.each([
    ['a plain caller', undefined, LINK],
    ['2025-03-26', '2025-03-26', PICTURE],
    ['2025-11-25', '2025-11-25', LINK],
    ['2026-07-28', '2026-07-28', PICTURE],
  ])('by default as the client can show: %s', async (_, protocol, types) => {
    expect(typesOf(await run({ protocol }))).toEqual(types)
    if (!protocol) return
    const off = await run({ protocol, args: { inline_images: false } })
    expect(typesOf(off)).toEqual(LINK)
  })

  it('by default as the operator says', async () => {
    expect(typesOf(await run({ variables: { inline_images: 'true' } }))).toEqual(PICTURE)
    const variables = { inline_images: 'false' }
    expect(typesOf(await run({ variables, protocol: '2026-07-28' }))).toEqual(LINK)
  })
})

describe('the argument inline_images', () => {
  const propertiesOf = async (comfyuiUrl: string, parameter?: string) => {
    const { tools = [] } = await machine({ files: files(parameter), comfyuiUrl }).list()
    return tools[0]?.inputSchema.properties as Record<string, object>
  }

  it('is listed where workflows are run, and only there', async () => {
    expect((await propertiesOf(simulator.url)).inline_images).toMatchObject({ type: 'boolean' })
    expect(await propertiesOf('')).not.toHaveProperty('inline_images')
  })

  it('belongs to the workflow that has a parameter of this name', async () => {
    const properties = await propertiesOf(simulator.url, 'inline_images')
    expect(properties.inline_images).toMatchObject({ type: 'string' })
    const record = await run({ parameter: 'inline_images', args: { inline_images: 'y' } })
    expect(record.result?.structuredContent).toMatchObject({ params: { inline_images: 'y' } })
  })

  it.each(['yes', 1, null, {}])('must be true or false, not %j', async (inline_images) => {
    const on = machine({ files: files(), comfyuiUrl: simulator.url })
    const { result } = await on.call('square', { inline_images })
    expect(JSON.stringify(result)).toContain('inline_images: must be true or false')
  })
})

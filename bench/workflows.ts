// What a hundred workflow files cost: the list, a call, and what is parsed again.
// Run: node bench/workflows.ts. Compare rows of one run; machines differ and are shared.
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorkflows, type WorkflowApplication } from '../test/workflows/application.ts'
import { build } from './application.ts'
import { Report } from './report.ts'
import { CLIENTS, createSender } from './sender.ts'
import { median, milliseconds, p95 } from './statistics.ts'

const SIZES = [1, 100]
const LIST = CLIENTS['2026-07-28']('tools/list', {})
const CALL = CLIENTS['2026-07-28']('tools/call', {
  name: 'tool-0',
  arguments: { prompt: 'a fox', seed: 7 },
})
/** A file's time, whole seconds, so that it can be set again. */
const WHEN = new Date('2026-01-01T00:00:00Z')

const fields = [
  { name: 'prompt', required: true, mapping: { node: '6', attribute: 'text' } },
  { name: 'seed', type: 'integer', mapping: { node: '3', attribute: 'seed' }, generator: 'seed' },
  { name: 'steps', type: 'integer', default: 20, mapping: { node: '3', attribute: 'steps' } },
]

/** Forty nodes, about 8 KB: a workflow of common size. */
function workflow(): Record<string, unknown> {
  const more = Array.from({ length: 36 }, (_, index) => [
    `${100 + index}`,
    {
      class_type: 'ImageScale',
      inputs: { image: ['9', 0], width: 8, height: 8, crop: 'disabled' },
    },
  ])
  return {
    '3': { class_type: 'KSampler', inputs: { seed: 0, steps: 25, cfg: 7, positive: ['6', 0] } },
    '6': { class_type: 'CLIPTextEncode', inputs: { text: '' } },
    '9': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
    ...(Object.fromEntries(more) as Record<string, unknown>),
  }
}

export async function workflows(report: Report): Promise<void> {
  const table = report.table(
    'Workflow files',
    ...['workflows', 'median ms', '   p95 ms', 'tools', 'with ComfyUI left out'],
  )
  for (const size of SIZES) {
    const app = await startWorkflows()
    const sender = createSender(app.url)
    try {
      await app.remove('config/example.json')
      await app.remove('workflows/example.json')
      await fillFolder(app, size)
      const measure = async (what: string, count: number, before?: () => Promise<void>) => {
        const times: number[] = []
        let tools = 0
        for (let i = 0; i < count; i++) {
          await before?.()
          const started = performance.now()
          const text = await sender.send(LIST)
          times.push(performance.now() - started)
          tools = (JSON.parse(text) as { result: { tools: unknown[] } }).result.tools.length
        }
        const cells = [String(size), milliseconds(median(times)), milliseconds(p95(times))]
        table.row(...cells, String(tools), what)
      }
      await measure('list: all files are new', 1)
      await measure('list: nothing has changed', 30)
      let edit = 0
      await measure('list: one file has changed', 10, () => put(app, 0, ++edit))
      const times: number[] = []
      for (let i = 0; i < 60; i++) {
        const started = performance.now()
        await sender.send(CALL)
        times.push(performance.now() - started)
      }
      table.row(String(size), milliseconds(median(times)), milliseconds(p95(times)), '', 'call')
      const parsed = await parsedAgain(app, sender)
      table.row(String(size), '', '', '', `files parsed again by a list and a call: ${parsed}`)
    } finally {
      sender.close()
      await app.close()
    }
  }
}

async function fillFolder(app: WorkflowApplication, size: number): Promise<void> {
  for (let index = 0; index < size; index++) await put(app, index, 0)
}

async function put(app: WorkflowApplication, index: number, edit: number): Promise<void> {
  const name = `tool-${index}`
  await app.put(`config/${name}.json`, [{ name, description: `Edit ${edit}`, fields }])
  await app.put(`workflows/${name}.json`, workflow())
}

/**
 * Counts the files that are parsed again although their size and time are unchanged. Every file except the called
 * workflow is overwritten with invalid content, so parsing it again is reported as a problem.
 */
async function parsedAgain(
  app: WorkflowApplication,
  sender: ReturnType<typeof createSender>,
): Promise<number> {
  const paths = (
    await Promise.all(
      ['config', 'workflows'].map(async (mount) =>
        (await readdir(join(app.folder, mount))).map((name) => join(app.folder, mount, name)),
      ),
    )
  ).flat()
  for (const path of paths) await utimes(path, WHEN, WHEN)
  await sender.send(LIST)
  for (const path of paths.filter((each) => !each.endsWith('workflows/tool-0.json'))) {
    const { size } = await stat(path)
    await writeFile(path, '!'.repeat(size))
    await utimes(path, WHEN, WHEN)
  }
  await sender.send(LIST)
  const called = JSON.parse(await sender.send(CALL)) as { result?: { isError?: boolean } }
  if (!called.result || called.result.isError) throw new Error('the tool can no longer be called')
  const health = (await (await fetch(`${app.url}/health/components`)).json()) as {
    components: { problems?: string[] }[]
  }
  return health.components.flatMap(({ problems = [] }) => problems).length
}

if (import.meta.main) {
  await build()
  await workflows(new Report())
}

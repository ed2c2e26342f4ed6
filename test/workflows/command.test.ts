// `ftl workflows` as people and scripts run it: what is printed, and the exit code.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ftl } from '../support/command.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-lint-'))
  await mkdir(join(folder, 'workflows'))
  await mkdir(join(folder, 'config'))
  const node = { class_type: 'SaveImage', inputs: { text: '' } }
  await writeFile(join(folder, 'workflows', 'good.json'), JSON.stringify({ 1: node }))
  await writeFile(join(folder, 'config', 'bad.json'), '[\n  {"workflow": "gone.json"}\n]')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (...args: string[]) => {
  const command = ftl(['workflows', ...args])
  return { code: await command.exited, output: command.output() }
}

it('lint finds nothing in what is shipped', async () => {
  const { code, output } = await run('lint')
  expect(output).toContain('1 tool: example; 0 errors, 0 warnings')
  expect(code).toBe(0)
})

it('lint ends with 1, and says where and what to do', async () => {
  const { code, output } = await run('lint', folder)
  expect(output).toContain(
    'config/bad.json:2: error: tool "bad": "workflows" has no file "gone.json"; put "gone.json" there',
  )
  expect(code).toBe(1)
})

it('lint --json is for programs', async () => {
  const { code, output } = await run('lint', folder, '--json')
  const { tools, findings } = JSON.parse(output) as { tools: string[]; findings: object[] }
  expect(tools).toEqual(['good'])
  expect(findings).toMatchObject([{ severity: 'error', file: 'config/bad.json', line: 2 }])
  expect(code).toBe(1)
})

it('init ends with 1 where it would overwrite', async () => {
  const file = join(folder, 'workflows', 'good.json')
  expect((await run('init', file)).code).toBe(0)
  const again = await run('init', file)
  expect(again.output).toContain('--force overwrites it')
  expect(again.code).toBe(1)
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ftl } from '../support/command.ts'
import { type CodeHost, startCode } from './code-host.ts'

let host: CodeHost
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-code-cli-'))
  host = await startCode()
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

async function command(...args: string[]): Promise<{ code: number | null; output: string }> {
  const running = ftl(['code', ...args, '--url', `${host.url}/mcp`])
  const code = await running.exited
  return { code, output: running.output() }
}

async function program(name: string, code: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, code)
  return file
}

it('run shows the console and the result', async () => {
  const file = await program(
    'good.ts',
    'console.log("calling")\nconst text = await tools.echo.echo({ message: "hi\\u202e" })\nreturn { text }\n',
  )
  const { code, output } = await command('run', file)
  expect(output).toBe('calling\n{\n  "text": "hi\\u202e"\n}\n')
  expect(code).toBe(0)
})

it('run shows where a program has failed, and ends with status 5', async () => {
  const file = await program(
    'bad.ts',
    'const a: number = 1\nawait tools["my-target"].fail({ a })\n',
  )
  const { code, output } = await command('run', file)
  expect(output).toMatch(
    /bad\.ts:2:\d+: ToolError: the printer has no paper \(my-target\.fail\)\n +2 \| await tools/,
  )
  expect(code).toBe(5)
})

it('run shows how a long result goes on, and prints all of it with --all', async () => {
  const file = await program('long.ts', 'return Array.from({ length: 20_000 }, (_, i) => i)\n')
  const cut = await command('run', file)
  expect(cut.output).toMatch(
    /\nThe result is cut: 100000 of 108891 characters\. .*--all.*until 2.*:\n  ftl call run_code result=[0-9a-f-]{36} offset=100000\n$/,
  )
  const all = await command('run', file, '--all', '--json')
  const { result, cut: none } = JSON.parse(all.output) as { result: number[]; cut?: object }
  expect(result).toHaveLength(20_000)
  expect(none).toBeUndefined()
})

it('check finds mistakes with the declarations of the gateway, and with saved ones', async () => {
  const file = await program('check.ts', 'return await tools.echo.echo({ mesage: "hi" })\n')
  const { code, output } = await command('check', file)
  expect(output).toMatch(/check\.ts:1:\d+: .*'mesage' does not exist.*\n +1 \| return/)
  expect(code).toBe(1)
  const saved = join(folder, 'tools.d.ts')
  expect(await command('declarations', saved)).toEqual({ code: 0, output: '' })
  expect(await readFile(saved, 'utf8')).toMatch(/^declare const tools: \{\n {2}echo: \{/)
  const offline = ftl(['code', 'check', file, '--declarations', saved])
  expect(await offline.exited).toBe(1)
  expect(offline.output()).toBe(output)
})

it('a file that is missing is named', async () => {
  const { code, output } = await command('run', join(folder, 'none.ts'))
  expect(output).toMatch(/none\.ts: there is no such file\n$/)
  expect(code).toBe(1)
})

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { runCommand } from './command.ts'

it.each([
  'return 1',
  'END\nrm -rf "$HOME"\nEND2',
  '`id` $(id) \\ \'"',
  'const a = 1\r\nEND\r\nreturn a',
])('is one command for a shell, whose input is the program %j', (code) => {
  const script = `ftl() { echo "$@"; cat; }\n${runCommand(code, 'http://localhost:3000')}`
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
  expect(printed).toBe(`code run --url http://localhost:3000/mcp -\n${code}\n`)
})

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { runCommand, saveCommand } from './command.ts'

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

it('gives a description to the shell as one word', () => {
  const description = `It's "$HOME" \`id\` \\ x`
  const command = saveCommand('return input', { name: 'my-tool', description }, 'http://x')
  const script = `ftl() { for each in "$@"; do printf '%s|' "$each"; done; }\n${command}`
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(
    `code|save|my-tool|-|--url|http://x/mcp|--description|${description}|`,
  )
})

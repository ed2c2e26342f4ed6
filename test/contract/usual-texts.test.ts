/** The gateway is built with the texts that its variables have in the default application; another text costs each call. */
import { readFile } from 'node:fs/promises'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { USUAL_TEXTS } from '../../gateway/src/usual-texts.ts'

interface Manifest {
  variables: Record<string, { default?: string }>
  component: Record<string, { variables?: Record<string, string> }>
}

const manifest = parse(
  await readFile(new URL('../../spin.toml', import.meta.url), 'utf8'),
) as unknown as Manifest

function textOf(variable: string): string {
  const template = manifest.component['mcp-gateway']?.variables?.[variable] ?? ''
  return template.replace(/\{\{ (\w+) \}\}/g, (_, name: string) => {
    const text = manifest.variables[name]?.default
    if (text === undefined) throw new Error(`the variable ${name} has no default`)
    return text
  })
}

test.each(Object.entries(USUAL_TEXTS))('%s', (variable, [first]) => {
  // A variable is read without the white space around it.
  expect(textOf(variable).trim()).toBe(first)
})

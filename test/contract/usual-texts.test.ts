/** The gateway is built with the texts that its variables have in the default application; another text costs each call. */
import { readFile } from 'node:fs/promises'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { gatewayBindings } from '../../create-ftl-tool/src/parts/gateway-component.ts'
import { GATEWAY_VARIABLES } from '../../create-ftl-tool/src/parts/gateway-variables.ts'
import { USUAL_TEXTS } from '../../gateway/src/usual-variable-texts.ts'

interface Manifest {
  variables: Record<string, { default?: string }>
  component: Record<string, { variables?: Record<string, string> }>
}

const own = parse(
  await readFile(new URL('../../spin.toml', import.meta.url), 'utf8'),
) as unknown as Manifest

function ownText(variable: string): string {
  const template = own.component['mcp-gateway']?.variables?.[variable] ?? ''
  return filledIn(template, (name) => own.variables[name]?.default)
}

function newText(variable: string): string {
  return filledIn(gatewayBindings()[variable] ?? '', (name) => GATEWAY_VARIABLES[name]?.default)
}

/** As Spin does it. A variable is read without the white space around it. */
function filledIn(template: string, valueOf: (name: string) => string | undefined): string {
  const text = template.replace(/\{\{ (\w+) \}\}/g, (_, name: string) => {
    const value = valueOf(name)
    if (value === undefined) throw new Error(`the variable ${name} has no default`)
    return value
  })
  return text.trim()
}

describe.each([
  ['of this repository', ownText],
  ['of an application that create-ftl-tool makes', newText],
])('in the manifest %s', (_, textOf) => {
  test.each(Object.entries(USUAL_TEXTS))('%s', (variable, [first]) => {
    expect(textOf(variable)).toBe(first)
  })
})

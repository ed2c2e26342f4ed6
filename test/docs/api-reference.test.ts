// The API reference: what the SDK exports is in it, with a docstring.
import { ReflectionKind, type DeclarationReflection, type ReferenceReflection } from 'typedoc'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type ApiReference, readApi } from '../../scripts/docs/api.ts'
import { ENTRIES } from '../../scripts/docs/entries.ts'
import { REPOSITORY } from '../support/command.ts'

let api: ApiReference
beforeAll(async () => {
  api = await readApi()
})

it('has every entry a user imports', () => {
  expect(api.project.children?.map(({ name }) => name).sort()).toEqual(Object.keys(ENTRIES).sort())
})

it.each([
  'ftl-sdk',
  'ftl-contract',
  'ftl-sdk/openapi',
  'ftl-sdk/testing',
  'ftl-client',
  'ftl-client/auth',
  'ftl-client/ndjson',
  'ftl-host',
  'ftl-gateway/extend',
])('%s: every export has a docstring', (entry) => {
  const module = api.project.children?.find(({ name }) => name === entry)
  const exported = module?.children ?? []
  expect(exported.length).toBeGreaterThan(0)
  expect(exported.filter((each) => !isDocumented(each)).map(({ name }) => name)).toEqual([])
})

it('every exported error is in docs/errors.md', async () => {
  const page = await readFile(join(REPOSITORY, 'docs/errors.md'), 'utf8')
  const classes = api.project.getReflectionsByKind(ReflectionKind.Class) as DeclarationReflection[]
  const errors = classes.filter(isError).map(({ name }) => name)
  expect(errors).toContain('ToolError')
  expect(errors.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

const isError = ({ extendedTypes = [] }: DeclarationReflection): boolean =>
  extendedTypes.some((type) => /Error$/.test(type.toString()))

/** A function has its docstring at its signatures, what is exported twice at the first place. */
function isDocumented(reflection: DeclarationReflection | ReferenceReflection): boolean {
  const target =
    reflection.kind === ReflectionKind.Reference
      ? ((reflection as ReferenceReflection).getTargetReflection() as DeclarationReflection)
      : reflection
  return (
    target.hasComment() || (target.getAllSignatures?.() ?? []).some((each) => each.hasComment())
  )
}

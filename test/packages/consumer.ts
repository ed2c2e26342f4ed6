/** A user's program, compiled against the packed packages with the compiler's strictest look at declarations. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import ts from 'typescript'
import { REPOSITORY } from '../support/command.ts'
import type { Unpacked } from './unpack.ts'

const TOOL = `
import { createTool, ToolResponse } from 'ftl-sdk'
import type { JobRecord } from 'ftl-contract'
import { toComponent } from 'ftl-sdk/serve'
import * as z from 'zod'

export const tool = createTool({
  metadata: { name: 'greet', inputSchema: z.object({ name: z.string(), times: z.number() }) },
  handler: async ({ name, times }) => {
    const known: string = name
    // @ts-expect-error the schema says that it is a number
    const wrong: string = times
    return ToolResponse.text(known + wrong)
  },
})
export const component = toComponent({ tool }, 'greet')
export type Id = JobRecord['id']
`

/**
 * Messages of the compiler about our declarations and the program, none when all is well.
 *
 * @param folder is made.
 */
export async function typeErrors(
  folder: string,
  packages: readonly Unpacked[],
  resolution: 'nodenext' | 'bundler',
): Promise<string[]> {
  await linkPackages(join(folder, 'node_modules'), packages)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tool.ts'), TOOL)
  const specifiers = packages.flatMap(({ exports }) => exports)
  const uses = specifiers.map((specifier, index) => `export * as e${index} from '${specifier}'\n`)
  await writeFile(join(folder, 'everything.ts'), uses.join(''))
  // Authors of tools have no Node in their components, and so no types of it.
  const tool = messages([join(folder, 'tool.ts')], resolution, [])
  return [...tool, ...messages([join(folder, 'everything.ts')], resolution, ['node'])]
}

function messages(files: string[], resolution: 'nodenext' | 'bundler', types: string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: resolution === 'nodenext' ? ts.ModuleKind.NodeNext : ts.ModuleKind.ESNext,
    moduleResolution:
      resolution === 'nodenext'
        ? ts.ModuleResolutionKind.NodeNext
        : ts.ModuleResolutionKind.Bundler,
    skipLibCheck: false,
    // Else packages would be looked for where the links lead.
    preserveSymlinks: true,
    types,
  })
  // Only of our files, because checking the declarations of all packages takes ten times as long.
  const ours = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName))
  const found = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  return found.map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    return `${file?.fileName ?? ''}: ${text}`
  })
}

/** What other packages declare is theirs. */
function isOurs(file: string): boolean {
  const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
  return name === undefined || /^(create-)?ftl(-|$)/.test(name)
}

/** Ours as packed, all others as the repository has them. */
async function linkPackages(modules: string, packages: readonly Unpacked[]): Promise<void> {
  const own = new Map(packages.map(({ name, folder }) => [name, folder]))
  const repository = join(REPOSITORY, 'node_modules')
  for (const name of await readdir(repository)) {
    if (name.startsWith('.') || /^(create-)?ftl(-|$)/.test(name)) continue
    own.set(name, join(repository, name))
  }
  for (const [name, target] of own) {
    const path = join(modules, ...name.split('/'))
      .split('/')
      .join(sep)
    await mkdir(dirname(path), { recursive: true })
    await symlink(target, path, 'junction')
  }
}

/** The API reference: what each package exports, from its docstrings, as pages of the site. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  Application,
  type DeclarationReflection,
  LogLevel,
  type ProjectReflection,
  ReflectionKind,
  type TypeDocOptions,
} from 'typedoc'
import ts from 'typescript'
import { ENTRIES } from './entries.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Where the pages are written; git ignores it. */
const API_FOLDER = join(ROOT, 'docs/api')

export interface ApiReference {
  app: Application
  /** Its children are the entries, named as they are imported. */
  project: ProjectReflection
}

/** Reads the sources. Type errors are ignored here; `npm run typecheck` reports them. */
export async function readApi(): Promise<ApiReference> {
  // An export of two entries is documented in the first. Sorted by path, the contract precedes the SDK, which
  // re-exports all of it.
  const files = Object.values(ENTRIES)
    .map(({ path }) => join(ROOT, path))
    .sort()
  const app = await Application.bootstrapWithPlugins({
    ...OPTIONS,
    entryPoints: files,
    tsconfig: join(ROOT, 'tsconfig.json'),
  })
  // Reads only what the entries import, not the whole repository: it takes a fifth of the time.
  app.options.setCompilerOptions(files, compilerOptions(), undefined)
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc could not read the sources; its lines above say why')
  for (const module of project.children ?? []) module.name = importName(module.name)
  for (const inherited of project.getReflectionsByKind(ReflectionKind.Constructor)) {
    // Inherited constructors, such as those of errors, need no documentation.
    if ((inherited as DeclarationReflection).inheritedFrom) project.removeReflection(inherited)
  }
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    // TypeDoc's name for a destructured parameter.
    if (parameter.name === '__namedParameters') parameter.name = 'options'
  }
  return { app, project }
}

/** Writes the pages, and the list of them for the sidebar. */
export async function writeApi(): Promise<void> {
  const { app, project } = await readApi()
  await app.generateOutputs(project)
  await writeFile(join(API_FOLDER, 'index.md'), overview())
  const sidebar = Object.keys(ENTRIES).map((text) => ({ text, link: `/api/${text}` }))
  await writeFile(join(API_FOLDER, 'typedoc-sidebar.json'), JSON.stringify(sidebar))
}

function overview(): string {
  const rows = Object.entries(ENTRIES).map(
    ([name, { about }]) => `| [${name}](${name}.md) | ${about} |`,
  )
  return ['# API', '', '| import | for |', '| --- | --- |', ...rows, ''].join('\n')
}

/** TypeDoc names an entry by its path, without `index` and extension. */
function importName(called: string): string {
  const found = Object.entries(ENTRIES).find(
    ([, { path }]) => path.replace(/(\/index)?\.ts$/, '') === called,
  )
  if (!found) throw new Error(`TypeDoc names an entry "${called}", which is missing in ENTRIES`)
  return found[0]
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  ) as { config: { compilerOptions: object } }
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options
}

const OPTIONS: TypeDocOptions & Record<string, unknown> = {
  plugin: ['typedoc-plugin-markdown'],
  outputs: [{ name: 'markdown', path: API_FOLDER }],
  readme: 'none',
  name: 'API',
  logLevel: LogLevel.Warn,
  skipErrorChecking: true,
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  // Types that are not exported are shown where they are used; that is intended.
  validation: { notExported: false, invalidLink: true, notDocumented: false },
  // typedoc-plugin-markdown: one page for each entry, without text that Vue would parse as a template.
  router: 'module',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: false,
  sanitizeComments: true,
  useCodeBlocks: true,
  // VitePress generates other heading anchors than those the plugin links to.
  useHTMLAnchors: true,
  expandParameters: true,
  groupOrder: ['Functions', 'Variables', 'Classes', 'Interfaces', 'Type Aliases', '*'],
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideOverrides: true, hideInherited: true, hideSources: true },
}

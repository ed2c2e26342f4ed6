/** The files of a new application, and of its first tool. */
import { readFileSync } from 'node:fs'
import { guideFiles } from './guide-files.ts'
import { renderManifest } from './manifest.ts'
import { templateFiles, type TemplateValues } from './template-files.ts'
import { type Template, tryCommand } from './template.ts'
import { copiedPackages } from './packages.ts'

/**
 * Versions of third-party packages; a test keeps them equal to those this repository is tested with.
 *
 * Two are older: vitest 4 with Vite 7 runs on Node 20 and takes 30 MB less. test/e2e/new-user.test.ts runs them.
 */
const VERSIONS: Record<string, string> = {
  typescript: '^6.0.3',
  vite: '^7.3.8',
  vitest: '^4.1.12',
  zod: '^4.6.7',
}

/** What `npm start` does not need: an installation with `NODE_ENV=production` leaves it out. */
const DEVELOPMENT = ['typescript', 'vite', 'vitest']

export interface ApplicationValues extends TemplateValues {
  /** Folder of packed packages, for unpublished versions. */
  packages?: string | undefined
}

/** Version of this package; all packages of this repository have the same. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** What is made again, or is secret. */
const IGNORED = [
  ...['node_modules/', 'dist/', 'target/', '.ftl/', '.spin/', '.env'],
  ...['spin-single.toml', 'spin-grouped.toml', 'spin-separate*.toml'],
  // Of "ftl bridge-stdio": headers of servers hold secrets.
  'remote-servers.json',
  // Passwords of stores, keys, and what callers stored.
  ...['*runtime*.toml', 'key.txt', '*.pem', '*.key', '/*.db', '/*.db-*', '/*.rdb', '/*.jsonl'],
]

/** The first tool of an application is named after it. */
export function applicationFiles(
  name: string,
  template: Template,
  values: ApplicationValues,
): Map<string, string> {
  const folder = `tools/${name}`
  const files = new Map([
    ['package.json', json(packageJson(name, template, values))],
    ['spin.toml', text(renderManifest(name, template, template.component({ id: name, folder })))],
    ['tsconfig.json', json(tsconfig())],
    ['.gitignore', text(IGNORED)],
    ['README.md', text(readme(name, template))],
  ])
  for (const [path, content] of guideFiles(name, template)) files.set(path, content)
  for (const [path, content] of templateFiles(template, name, values)) {
    files.set(`${folder}/${path}`, content)
  }
  return files
}

/** Packages that an application lists itself; the others are installed as their dependencies. */
export function neededPackages(template: Template): string[] {
  return [
    'ftl',
    'ftl-gateway',
    'ftl-sdk',
    'typescript',
    'vite',
    'vitest',
    ...template.packages,
  ].sort()
}

export function versionOf(name: string): string {
  return VERSIONS[name] ?? `^${ownVersion()}`
}

function packageJson(name: string, template: Template, { packages }: ApplicationValues) {
  const needed = neededPackages(template)
  const packed = packages === undefined ? undefined : copiedPackages(packages)
  const version = (each: string) => packed?.get(each) ?? versionOf(each)
  // Only indirect dependencies: npm refuses to override a direct one.
  const overrides = [...(packed ?? [])].filter(([each]) => !needed.includes(each))
  const listed = (names: string[]) => Object.fromEntries(names.map((each) => [each, version(each)]))
  const rust = template.id === 'rust'
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      dev: 'ftl dev',
      build: 'ftl build',
      start: 'ftl start',
      test: rust ? `cd tools/${name} && cargo test` : 'vitest run',
      typecheck: 'tsc --noEmit',
    },
    dependencies: listed(needed.filter((each) => !DEVELOPMENT.includes(each))),
    devDependencies: listed(needed.filter((each) => DEVELOPMENT.includes(each))),
    overrides: overrides.length > 0 ? Object.fromEntries(overrides) : undefined,
    // Its script only makes its own command start faster, which nothing here uses; npm warns of a script not decided on.
    allowScripts: { esbuild: false },
  }
}

function tsconfig() {
  return {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      module: 'preserve',
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ['tools'],
    exclude: ['**/target'],
  }
}

function readme(name: string, template: Template): string[] {
  return [
    `# ${name}`,
    '',
    '```sh',
    'npm run dev    # builds, serves http://127.0.0.1:3000/mcp and rebuilds on every change',
    'npm test',
    '```',
    '',
    ...(template.needs === undefined ? [] : [`It needs ${template.needs}.`, '']),
    `The tool is in [tools/${name}](tools/${name}). Call it, while it is served:`,
    '',
    '```sh',
    tryCommand(name, template),
    '```',
    '',
    'Add another tool with `npx ftl new NAME`, and the page, the chat, image tools or other MCP servers with `npx ftl add`',
    '(`npx ftl add --help`). Messages that name `docs/…` mean `node_modules/ftl/docs/…`, the documentation of this version.',
  ]
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

const text = (lines: readonly string[]) => `${lines.join('\n')}\n`

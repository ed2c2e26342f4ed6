/** The options, said once: `ftl new` and `npm create ftl-tool` take the same. */
import { CLIENTS } from './clients.ts'
import { PARTS } from './parts/parts.ts'
import { TEMPLATES } from './template.ts'

export interface NewOptions {
  /** Id of a template. @default asked for on a terminal, else 'tool' */
  template?: string
  /** Parts of a new application, separated by commas. @default asked for on a terminal, else none */
  with?: string
  /** MCP clients to connect a new application to, separated by commas. @default asked for on a terminal, else none */
  client?: string
  /** The folder to work in. @default '.' */
  in?: string
  /** Makes a new application even inside another. @default false */
  application?: boolean
  /** Says what would be written, and writes nothing. @default false */
  dryRun?: boolean
  /** Prints what was written as one JSON document. @default false */
  json?: boolean
  /** Writes the files and leaves `spin.toml` as it is. @default false */
  filesOnly?: boolean
  /** Asks nothing. @default false */
  yes?: boolean
  /** Runs `npm install` in a new application. @default true */
  install?: boolean
  /** Runs `git init` in a new application. @default false */
  git?: boolean
  /** Folder of packed packages to install in place of the registry's. */
  packages?: string
  /** Folder, git address or version of the Rust crate `ftl-component`. @default the one in the package `ftl` */
  rustSdk?: string
}

export interface OptionSpec {
  /** As it is typed, with its argument: `--in <folder>`. */
  flags: string
  description: string
}

export const OPTIONS: readonly OptionSpec[] = [
  {
    flags: '-t, --template <template>',
    description: `template: ${TEMPLATES.map(({ id }) => `\`${id}\``).join(', ')} (asked for on a terminal, else \`tool\`)`,
  },
  {
    flags: '--with <parts>',
    description: `parts of a new application, comma-separated, as \`ftl add\` adds them: ${PARTS.map(({ id }) => `\`${id}\``).join(', ')}`,
  },
  {
    flags: '--client <clients>',
    description: `MCP clients that a new application is connected to, comma-separated: ${CLIENTS.map(({ id }) => `\`${id}\``).join(', ')} or \`none\``,
  },
  { flags: '--in <folder>', description: 'folder to work in; it must exist (the current folder)' },
  { flags: '--application', description: 'create a new application, even inside another' },
  { flags: '--dry-run', description: 'print what would be written, and write nothing' },
  {
    flags: '--files-only',
    description: 'in an application: write the files, and leave `spin.toml` unchanged',
  },
  { flags: '--no-install', description: 'do not run `npm install` in a new application' },
  { flags: '--git', description: 'run `git init` in a new application' },
  { flags: '-y, --yes', description: 'do not ask questions; use the defaults' },
  { flags: '--json', description: 'print what was written as JSON' },
  {
    flags: '--packages <folder>',
    description:
      'copy the files that `npm run pack` of the repository created in this folder into the application, and install our packages from them',
  },
  {
    flags: '--rust-sdk <crate>',
    description:
      'for `rust`: folder, git address or version of the crate `ftl-component` (the one in the package `ftl`)',
  },
]

export const DESCRIPTION =
  'Create a tool: in the application of this folder, or else in a new application'

/** @param command as it is typed, up to the name. */
export function helpAfter(command: string): string {
  const dashes = command.startsWith('npm ') ? ' --' : ''
  const examples = [
    ['', 'ask for name and template'],
    [` my-tool${dashes} --template job`, 'a tool that takes longer than a call'],
    [` my-tool${dashes} --with web,chat`, 'with the page and the chat'],
    [` my-tool${dashes} --client cursor`, 'with the configuration of Cursor'],
    [` my-tool${dashes} --dry-run`, 'only show what would be written'],
    [` my-tool${dashes} --yes --json`, 'ask nothing, and print what was written as JSON'],
  ].map(([args = '', what = '']) => [command + args, what] as const)
  return `
Templates:
${columns(TEMPLATES.map(({ id, title }) => [id, title]))}

Examples:
${columns(examples)}`
}

/** Two columns, indented as the rest of a help text. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}

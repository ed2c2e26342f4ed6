/** Which pages a reader follows, where they type, and what sentences ask for that is in no block. */
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deed } from '../../day/guide.ts'
import { mergeToml } from '../../day/manifest-lines.ts'
import { commandLines, shownCommands, stepsOf } from '../../day/page.ts'
import type { Block } from '../blocks/blocks.ts'

export interface Visit {
  page: string
  /** Where its blocks `sh` are typed. */
  in: 'clone' | 'application'
  /** Where its blocks `sh elsewhere` are typed. @default nowhere */
  elsewhere?: 'application' | 'empty folder'
  /** What a sentence of the page says to type first. */
  first?: string
  /** Whether its tool has a variable without a default, as that of the tutorial. @default false */
  needsVariable?: boolean
  deeds?: readonly Deed[]
}

/** "Put the entries, as a JSON array, into `.env`", and the key into `key.txt`. */
const keepKey: Deed['act'] = async ({ terminal, transcript, last }) => {
  const [key] = /\bftl_\S+/.exec(last.output) ?? []
  const [entry] = /\[\{"sha256".*\]/.exec(last.output) ?? []
  await appendFile(
    join(terminal.folder, '.env'),
    `SPIN_VARIABLE_API_KEYS='${entry}'\nSPIN_VARIABLE_POLICY=signed-in\n`,
  )
  await writeFile(join(terminal.folder, 'key.txt'), `${key}\n`)
  transcript.act('writes the entry into .env, and the key into key.txt')
}

const COMFYUI: readonly Deed[] = [
  {
    when: /`npx ftl bridge` prints the command that installs it/,
    act: async (guide) => {
      const { output } = await guide.terminal.type('npx ftl bridge')
      await guide.type(/"(npm [^"]+)"/.exec(output)?.[1] ?? 'npx ftl bridge')
    },
  },
]

const REMOTE: readonly Deed[] = [
  {
    when: /Take the file with your servers/,
    act: async (guide) => {
      const steps = await stepsOf('docs/remote.md')
      const file = steps.find(({ block }) => block?.marks.includes('config'))?.block?.code
      await guide.write('.mcp.json', file ?? '')
    },
  },
]

const REMOTE_OF_ITS_OWN: readonly Deed[] = [
  ...REMOTE,
  {
    when: /name one of its own, such as `tools`/,
    after: true,
    act: async (guide) => guide.edit('.mcp.json', (text) => text.replace('"docs"', '"tools"')),
  },
]

const KEY: readonly Deed[] = [{ when: /into `\.env` beside `spin\.toml`/, act: keepKey }]

const PUBLISH: readonly Deed[] = [
  {
    when: /Describe the package/,
    after: true,
    act: async (guide) => {
      const steps = await stepsOf('docs/publish.md')
      const block = steps.find(({ block: each }) => each?.code.includes('ftl-publish'))?.block
      await guide.edit('spin.toml', (text) => mergeToml(text, block?.code ?? ''))
    },
  },
  {
    when: /add the tarball: `npx ftl add [^`]+`/,
    act: async (guide) => {
      await guide.type('npx ftl remove weather')
      // Without a terminal, it adds nothing before it is told to.
      await guide.type('npx ftl add ./dist/publish/acme-weather-1.0.0.tgz --yes')
    },
  },
]

export const VISITS: readonly Visit[] = [
  { page: 'README.md', in: 'clone', elsewhere: 'empty folder' },
  { page: 'docs/web.md', in: 'clone' },
  { page: 'docs/web.md', in: 'application', elsewhere: 'application' },
  { page: 'docs/chat.md', in: 'clone' },
  { page: 'docs/chat.md', in: 'application', first: 'npx ftl add chat' },
  { page: 'docs/comfyui.md', in: 'clone' },
  {
    page: 'docs/comfyui.md',
    in: 'application',
    first: 'npx ftl add comfyui',
    deeds: COMFYUI,
  },
  { page: 'docs/workflows.md', in: 'clone' },
  { page: 'docs/workflows.md', in: 'application', first: 'npx ftl add comfyui' },
  { page: 'docs/remote.md', in: 'clone', deeds: REMOTE },
  {
    page: 'docs/remote.md',
    in: 'application',
    first: 'npx ftl add remote',
    deeds: REMOTE_OF_ITS_OWN,
  },
  { page: 'docs/authentication.md', in: 'application', elsewhere: 'application', deeds: KEY },
  {
    page: 'docs/publish.md',
    in: 'application',
    elsewhere: 'application',
    deeds: PUBLISH,
  },
  { page: 'docs/auth-server.md', in: 'application', elsewhere: 'application' },
  { page: 'docs/clients.md', in: 'clone', first: 'npm start' },
  { page: 'docs/testing.md', in: 'application', first: 'npx ftl build' },
  { page: 'docs/deploying.md', in: 'clone', deeds: KEY },
  {
    page: 'docs/deploying.md',
    in: 'application',
    elsewhere: 'application',
    deeds: KEY,
    needsVariable: true,
  },
]

/** Pages that `test/day/guides.ts` plays, with every block. */
export const GUIDES = ['docs/quick-start.md', 'docs/tutorial.md']

/**
 * The pages that this covers: one that is left out here or above fails. The settings of those of identity providers are read by
 * `test/providers` and by `provider-tokens.test.ts` of the gateway.
 */
export const PAGES: readonly string[] = [
  'README.md',
  ...[
    'quick-start',
    'tutorial',
    'deploying',
    'authentication',
    'comfyui',
    'workflows',
    'remote',
    'web',
    'chat',
    'auth-server',
    'clients',
    'testing',
    'publish',
  ].map((name) => `docs/${name}.md`),
]

/** The commands of a block, as they are printed. */
function commandsOf({ language, code }: Block): string[] {
  if (language === 'sh') return commandLines(code)
  return language === 'console' ? shownCommands(code).map(({ command }) => command) : []
}

/** Commands of a page as they are printed. @param isElsewhere only those of blocks with that mark, or without it. */
export async function printedLines(page: string, isElsewhere?: boolean): Promise<string[]> {
  const steps = await stepsOf(page)
  return steps.flatMap(({ block, tables }) => {
    const ofTables = isElsewhere === true ? [] : tables
    if (!block) return ofTables
    const isTyped = isElsewhere === undefined || block.marks.includes('elsewhere') === isElsewhere
    return [...ofTables, ...(isTyped ? commandsOf(block) : [])]
  })
}

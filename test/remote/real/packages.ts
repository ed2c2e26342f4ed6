/** Other people's servers, from npm and PyPI, each at one version. None needs an account to list its tools. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { REPOSITORY } from '../../support/command.ts'
import { installPythonPackage } from '../../support/python-package.ts'

const NOWHERE = 'http://127.0.0.1:1'

interface Package {
  /** Name and version at npm. */
  npm?: string
  /** Name and version at PyPI. */
  pypi?: readonly [string, string]
  bin: string
  args?: (folder: string) => string[]
  env?: (folder: string) => Record<string, string>
  /** It speaks Streamable HTTP by itself, at the port of `PORT`. @default it is a process, for the bridge */
  http?: true
}

const official = (name: string) => ({
  npm: `@modelcontextprotocol/server-${name}@2026.8.31`,
  bin: `mcp-server-${name}`,
})

const PACKAGES: Readonly<Record<string, Package>> = {
  everything: official('everything'),
  memory: {
    ...official('memory'),
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
  },
  thinking: official('sequential-thinking'),
  files: { ...official('filesystem'), args: (folder) => [join(folder, 'files')] },
  context7: { npm: '@upstash/context7-mcp@4.1.1', bin: 'context7-mcp' },
  chart: { npm: '@antv/mcp-server-chart@0.9.10', bin: 'mcp-server-chart' },
  dokploy: {
    npm: '@dokploy/mcp@0.30.7',
    bin: 'dokploy-mcp',
    env: () => ({ DOKPLOY_URL: NOWHERE, DOKPLOY_API_KEY: 'x' }),
  },
  ms365: { npm: '@softeria/ms-365-mcp-server@0.155.0', bin: 'ms-365-mcp-server' },
  notion: {
    npm: '@notionhq/notion-mcp-server@2.5.2',
    bin: 'notion-mcp-server',
    env: () => ({ NOTION_TOKEN: 'ntn_x' }),
  },
  excel: { npm: '@negokaz/excel-mcp-server@0.12.0', bin: 'excel-mcp-server' },
  todoist: {
    npm: '@doist/todoist-mcp@11.0.0',
    bin: 'todoist-mcp-http',
    env: () => ({ TODOIST_API_KEY: 'x' }),
    http: true,
  },
  paperless: {
    npm: '@baruchiro/paperless-mcp@2.2.1',
    bin: 'paperless-mcp',
    env: () => ({ PAPERLESS_URL: NOWHERE, PAPERLESS_API_KEY: 'x' }),
  },
  kubernetes: { npm: 'mcp-server-kubernetes@4.1.7', bin: 'mcp-server-kubernetes' },
  hubspot: {
    npm: '@hubspot/mcp-server@0.4.0',
    bin: 'mcp-hubspot',
    env: () => ({ PRIVATE_APP_ACCESS_TOKEN: 'x' }),
  },
  gitlab: {
    npm: '@zereight/mcp-gitlab@2.1.64',
    bin: 'mcp-gitlab',
    env: () => ({ GITLAB_PERSONAL_ACCESS_TOKEN: 'x' }),
  },
  sentry: {
    npm: '@sentry/mcp-server@0.39.0',
    bin: 'sentry-mcp',
    args: () => ['--access-token=x'],
  },
  magic: {
    npm: '@21st-dev/magic@0.1.0',
    bin: 'magic',
    env: () => ({ API_KEY: 'x' }),
  },
  playwright: { npm: '@playwright/mcp@0.0.83', bin: 'playwright-mcp' },
  devtools: { npm: 'chrome-devtools-mcp@1.11.0', bin: 'chrome-devtools-mcp' },
  atlassian: {
    pypi: ['mcp-atlassian', '0.23.1'],
    bin: 'mcp-atlassian',
    env: () => ({
      // It lists the members of a set, whose order is another one in each process.
      PYTHONHASHSEED: '0',
      JIRA_URL: NOWHERE,
      JIRA_USERNAME: 'x',
      JIRA_API_TOKEN: 'x',
      CONFLUENCE_URL: NOWHERE,
      CONFLUENCE_USERNAME: 'x',
      CONFLUENCE_API_TOKEN: 'x',
    }),
  },
  fetch: { pypi: ['mcp-server-fetch', '2026.10.24'], bin: 'mcp-server-fetch' },
  git: { pypi: ['mcp-server-git', '2026.10.19'], bin: 'mcp-server-git' },
  time: { pypi: ['mcp-server-time', '2026.10.19'], bin: 'mcp-server-time' },
}

/** How a server is started. */
export interface Program {
  command: string
  args: string[]
  env: Record<string, string>
  http: boolean
}

const run = promisify(execFile)
const PYTHON_LIMIT_MS = 5 * 60_000

/** The bytes of a file that the server for files takes for a sound, by its name. */
export const SOUND = Buffer.from('RIFF')

/**
 * Installs all of them in the folder `.ftl`, unless they are there.
 *
 * @param folder for what they write and read.
 * @returns how each is started, or why they cannot be installed here.
 */
export async function installAll(folder: string): Promise<Record<string, Program> | string> {
  const all = Object.entries(PACKAGES)
  const place = join(REPOSITORY, '.ftl', 'real-servers')
  await mkdir(place, { recursive: true })
  const specs = all.flatMap(([, { npm }]) => npm ?? [])
  const options = ['--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
  const failed = await run('npm', ['install', ...options, ...specs], { cwd: place }).then(
    () => undefined,
    (error: Error) => error.message.slice(0, 300),
  )
  if (failed !== undefined) return `npm: ${failed}`
  const programs: Record<string, Program> = {}
  for (const [name, { pypi, bin, args, env, http = false }] of all) {
    // Each in an environment of its own, because they need different versions of the same packages.
    const installed = pypi && (await installPythonPackage(...pypi, { limitMs: PYTHON_LIMIT_MS }))
    if (installed && 'missing' in installed) return installed.missing
    programs[name] = {
      command: join(installed?.bin ?? join(place, 'node_modules/.bin'), bin),
      args: args?.(folder) ?? [],
      env: env?.(folder) ?? {},
      http,
    }
  }
  await mkdir(join(folder, 'files'))
  await writeFile(join(folder, 'files/a.txt'), 'read through the gateway')
  await writeFile(join(folder, 'files/a.wav'), SOUND)
  return programs
}

/** Files of a new application for those who work on it: coding agents, an editor's debugger, a pipeline. */
import type { Template } from './template.ts'

/** @param name of the application and of its first tool. */
export function guideFiles(name: string, template: Template): Map<string, string> {
  const isRust = template.id === 'rust'
  return new Map([
    ['AGENTS.md', text(agents(name, template))],
    ['.github/workflows/test.yml', text(workflow(name, isRust))],
    ...(isRust ? [] : [['.vscode/launch.json', launch()] as const]),
  ])
}

function agents(name: string, { id }: Template): string[] {
  return [
    '# Guide for changing this application',
    '',
    'An MCP server. Each tool is a WebAssembly component under `tools/`; `spin.toml` declares what each may reach.',
    '',
    '```sh',
    'npm run dev          # serves http://127.0.0.1:3000/mcp, and shows what is wrong with a change',
    'npm test             # tests of the tools, in Node',
    ...(id === 'rust' ? [] : ['npm run typecheck']),
    `${`npx ftl test ${name}`.padEnd(20)} # the built component against the contract`,
    'npx ftl doctor       # what is wrong with spin.toml, variables and this machine',
    '```',
    '',
    `- The first tool is in tools/${name}. \`npx ftl new NAME\` adds another one, with its test and its entries in \`spin.toml\`.`,
    '- A component reaches only what `spin.toml` allows: hosts in `allowed_outbound_hosts`, stores in `key_value_stores`,',
    '  values in `[component.NAME.variables]`. A secret is a variable with `secret = true`; its value goes into `.env`.',
    ...(id === 'rust'
      ? []
      : [
          '- Module scope runs while the component is built: no clock, random number or request there. Modules of Node are missing',
          '  (`node_modules/ftl/docs/npm-libraries.md`).',
        ]),
    '- Call a tool while the application is served: `npx ftl call NAME argument=value`.',
    '- The documentation of this version is in `node_modules/ftl/docs`: `writing-tools.md`, `testing.md`, `errors.md`, `jobs.md`.',
  ]
}

function workflow(name: string, isRust: boolean): string[] {
  return [
    'name: test',
    'on: [push, pull_request]',
    'permissions:',
    '  contents: read',
    'jobs:',
    '  test:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/checkout@v4',
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 22',
    '          cache: npm',
    ...(isRust ? ['      - run: rustup target add wasm32-wasip2'] : []),
    '      - run: npm ci',
    ...(isRust ? [] : ['      - run: npm run typecheck']),
    '      - run: npm test',
    '      - run: npx ftl build',
    `      - run: npx ftl test ${name}`,
  ]
}

/** Breakpoints are reached in a test, because a debugger cannot be attached to code in a component. */
function launch(): string {
  const configuration = {
    name: 'Debug the tests of the open file',
    type: 'node',
    request: 'launch',
    program: '${workspaceFolder}/node_modules/vitest/vitest.mjs',
    args: ['run', '--no-file-parallelism', '${relativeFileDirname}'],
    autoAttachChildProcesses: true,
    smartStep: true,
    skipFiles: ['<node_internals>/**', '**/node_modules/**'],
    console: 'integratedTerminal',
  }
  return `${JSON.stringify({ version: '0.2.0', configurations: [configuration] }, undefined, 2)}\n`
}

const text = (lines: readonly string[]) => `${lines.join('\n')}\n`

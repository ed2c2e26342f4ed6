/** The component of an API: its files, and its part of `spin.toml`. */
import type { ApiPlan } from 'ftl-contract'
import type { Template } from 'create-ftl-tool'
import { callArguments } from '../code/saved-program-files.ts'
import { variablesFor } from './security.ts'

/** Where the plan is, in the folder of its component. */
export const API_FILE = 'src/api.json'

/** By their path in the folder. What a stranger wrote is in the JSON alone, so no text of it can become code. */
export function apiFiles(plan: ApiPlan, component: string): Map<string, string> {
  return new Map([
    [API_FILE, apiFile(plan)],
    ['src/main.ts', main(plan)],
    ['README.md', readme(component)],
  ])
}

/** A line for each tool and schema, so that a change of the API is a change of few lines. */
export function apiFile({ operations, schemas, ...head }: ApiPlan): string {
  const lines = JSON.stringify(head, undefined, 2).split('\n').slice(0, -1)
  const schemaLines = Object.entries(schemas).map(
    ([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  )
  return [
    `${lines.join('\n')},`,
    '  "operations": [',
    operations.map((each) => `    ${JSON.stringify(each)}`).join(',\n'),
    '  ],',
    '  "schemas": {',
    schemaLines.join(',\n'),
    '  }',
    '}',
    '',
  ].join('\n')
}

const main = ({ operations: [first] }: ApiPlan) => `import { apiTools } from 'ftl-sdk/openapi'
import api from './api.json' with { type: 'json' }

// "ftl add openapi --update" writes api.json again, and leaves this file as it is: change tools here.
export const tools = apiTools(api, {
  tools: {
    // ${first?.name ?? 'name'}: { name: 'another_name', description: '…', defaults: {}, fixed: {}, hidden: true },
  },
  // headers: { 'x-api-version': '1' },
  // maxCharacters: 40_000,
})
`

const readme = (component: string) => `# ${component}

The tools of an HTTP API, made by \`ftl add openapi\`. \`src/api.json\` is generated, \`src/main.ts\` is yours.

\`\`\`sh
npx ftl add openapi --update ${component}   # write src/api.json again, from the document that it names
npx ftl build
\`\`\`
`

/** Servers that the component sends requests to. */
export function hostsOf({ server, operations }: Pick<ApiPlan, 'server' | 'operations'>): string[] {
  const urls = [server, ...operations.flatMap((each) => each.server ?? [])]
  return [...new Set(urls.map((url) => new URL(url).origin))]
}

export function apiTemplate(plan: ApiPlan): Template {
  const variables = variablesFor(Object.values(plan.credentials), plan.title)
  const names = [...variables.keys()]
  const [first] = plan.operations
  return {
    id: 'openapi',
    title: plan.title,
    packages: [],
    variables: Object.fromEntries(
      [...variables].map(([name, description]) => [
        name,
        { default: '', secret: true, description },
      ]),
    ),
    tryWith: first ? callArguments(first.inputSchema) : '',
    component: ({ id, folder }) => ({
      id,
      source: `dist/${id}.wasm`,
      allowedOutboundHosts: hostsOf(plan),
      keyValueStores: [],
      files: [],
      variables: Object.fromEntries(names.map((name) => [name, `{{ ${name} }}`])),
      build: { command: 'npx ftl build', watch: [`${folder}/src/**/*`] },
      entry: `${folder}/src/main.ts`,
      hints: ['Made by "ftl add openapi". All other hosts are blocked.'],
    }),
  }
}

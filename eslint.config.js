import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/**
 * Who may import whom (ARCHITECTURE.md): for each folder, the packages of ours it must not see.
 */
const packages = {
  platform: 'ftl-platform',
  contract: 'ftl-contract',
  http: 'ftl-http',
  sdk: 'ftl-sdk',
  comfyui: 'ftl-comfyui',
  gateway: 'ftl-gateway',
  host: 'ftl-host',
  bridge: 'ftl-bridge',
  client: 'ftl-client',
  cli: 'ftl',
  'create-ftl-tool': 'create-ftl-tool',
}

const mayImport = {
  platform: [],
  contract: [],
  http: [],
  sdk: ['contract'],
  comfyui: ['contract', 'sdk'],
  gateway: ['contract', 'platform', 'http'],
  components: ['contract', 'sdk', 'platform', 'comfyui', 'http'],
  host: [],
  bridge: ['contract', 'platform', 'http'],
  client: [],
  cli: ['contract', 'host', 'bridge', 'comfyui', 'client', 'create-ftl-tool'],
  'create-ftl-tool': [],
}

/** Of a package that is otherwise not to be seen, what all may use. */
const shared = {
  components: {
    client: ['chat', 'ndjson', 'browser', 'oauth', 'server-side'],
    gateway: ['schema'],
  },
  cli: { gateway: ['auth', 'policy'] },
}

const packageOf = (folder, name) => {
  const paths = shared[folder]?.[name]
  return paths ? `${packages[name]}(?!/(${paths.join('|')})$)` : packages[name]
}

const folders = [...Object.keys(mayImport), 'test', 'bench', 'scripts']

/** Folders inside a package with the name of another one. */
const ownFolder = { comfyui: 'client', host: 'http' }

/** Rules inside one package. */
const ownPatterns = {
  gateway: [
    {
      regex: '^(\\.\\./)+(adapters|mcp|rest)/',
      message: 'A transport must not import another one: move what both need to gateway/src/calls.',
    },
  ],
}

const importRules = Object.entries(mayImport).map(([folder, allowed]) => {
  const forbidden = Object.keys(packages).filter(
    (name) => name !== folder && !allowed.includes(name),
  )
  return {
    files: [`${folder}/**/*.{ts,tsx}`],
    // A test or a benchmark may bring the other side of an interface.
    ignores: ['**/*.test.ts', '**/templates/**', 'bridge/bench/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(${forbidden.map((name) => packageOf(folder, name)).join('|')})(/|$)`,
              message: `${folder}/ must not import this package: see "Who may import whom" in ARCHITECTURE.md.`,
            },
            {
              regex: `^(\\.\\./)+(${folders.filter((name) => name !== ownFolder[folder]).join('|')})/`,
              message: 'Import another folder by its package name, never by a relative path.',
            },
            ...(ownPatterns[folder] ?? []),
          ],
        },
      ],
    },
  }
})

const OUT = '/^std(out|err)$/'
const ONE_WRITER =
  'Write with cli/src/terminal/terminal.ts or cli/src/terminal/ui.ts, which escape control characters: the text may come from outside.'

/** What is printed may come from outside, so one module writes it. */
const outputRules = {
  files: ['{cli,host,bridge}/src/**/*.ts'],
  ignores: [
    'cli/src/terminal/terminal.ts',
    '**/*.test.ts',
    // Runs in a component, whose output the host escapes.
    'cli/src/build/node-compat/runtime/**',
    // Run in workerd, whose output cli/src/serve/services.ts prints.
    'bridge/src/worker.ts',
    'bridge/src/live/comfy-feed.ts',
  ],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...[
        "MemberExpression[object.name='console'][property.name!='warn']",
        "CallExpression[callee.object.name='console']",
        `MemberExpression[object.name='process'][property.name=${OUT}]`,
        `VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name=${OUT}]`,
        `ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name=${OUT}]`,
        "CallExpression[callee.name='styleText']",
        "CallExpression[callee.name='line'] > CallExpression[callee.object.name='JSON']",
        'Literal[value=/\\x1b\\[/]',
        'TemplateElement[value.cooked=/\\x1b\\[/]',
      ].map((selector) => ({ selector, message: ONE_WRITER })),
    ],
  },
}

export default defineConfig(
  {
    ignores: [
      '**/node_modules/',
      '**/dist/',
      'rust/target/',
      'engine/{target,vendor,wit}/',
      // Scripts for the engine, without types; some are wrong on purpose.
      'engine/{js,test/cases,test/hostile,test/promises,test/wpt}/',
      'engine/test/{harness,internals}.js',
      'engine/src/',
      '**/.ftl/',
      'test/fixtures/seeds/',
      'test/fixtures/app/example.ts',
      // Its packages are installed in the application that npm run day makes.
      'test/day/application/',
    ],
  },
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Node loads a module from which only types are imported, unless the import as a whole is one of types.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/require-await': 'off',
      // A feature of the gateway adds its settings to those of the others by an interface that only extends.
      '@typescript-eslint/no-empty-object-type': [
        'error',
        { allowInterfaces: 'with-single-extends' },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
    },
  },
  { files: ['**/*.js', '**/*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
  importRules,
  outputRules,
)

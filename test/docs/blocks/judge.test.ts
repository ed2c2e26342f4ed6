// Each kind of mistake in a block is found, at its line; and what is right is let through.
import { describe, expect, it } from 'vitest'
import { createProgram } from '../../../cli/src/main.ts'
import { type Block, parseBlocks } from './blocks.ts'
import { unknownProblems } from './coverage.ts'
import { jsonProblems, tomlProblems } from './data.ts'
import { proseProblems } from './prose.ts'
import { quotedProblems } from './quoted.ts'
import { commandProblem, shellProblems } from './shell.ts'
import { shellCommands } from './shell-words.ts'
import { typeProblems } from './typescript.ts'

const program = await createProgram()

const page = (...lines: string[]): Block[] => parseBlocks(lines.join('\n'), 'page.md')
const one = (info: string, ...lines: string[]): Block => {
  const [block] = page(`\`\`\`${info}`, ...lines, '```')
  if (!block) throw new Error('no block was found')
  return block
}

describe('finding blocks', () => {
  it('has language, marks, code without its indentation, and line', () => {
    expect(page('text', '', '1. item', '   ```ts gateway', '   one', '     two', '   ```')).toEqual(
      [
        {
          page: 'page.md',
          line: 4,
          language: 'ts',
          marks: ['gateway'],
          given: '',
          code: 'one\n  two',
        },
      ],
    )
  })

  it('keeps a shorter fence inside a longer one', () => {
    expect(page('````text', '```', '````').map(({ code }) => code)).toEqual(['```'])
  })

  it('has what is given right above, and nothing that is given elsewhere', () => {
    const given = '<!-- given:\ndeclare const a: number\n-->'
    const [first, second] = page(given, '', '```ts', 'a', '```', '', '```ts', 'b', '```')
    expect(first?.given).toBe('declare const a: number')
    expect(second?.given).toBe('')
  })

  it('does not read to the end of a page where a fence is not closed', () => {
    expect(() => page('```ts', 'const a = 1')).toThrow('page.md:1: the block has no end')
  })

  it.each(['', 'typescript', 'ts nonsense', 'python', 'bash', 'json5'])(
    'refuses the info string "%s"',
    (info) => {
      expect(unknownProblems(one(info, 'x'))).toHaveLength(1)
    },
  )

  it.each(['ts', 'ts continues', 'ts src/a.ts', 'sh', 'toml component', 'text', 'rust from:a.rs'])(
    'takes the info string "%s"',
    (info) => {
      expect(unknownProblems(one(info, 'x'))).toEqual([])
    },
  )
})

describe('TypeScript', () => {
  it('is read by its compiler, and a mistake has its line', () => {
    const blocks = page('# Page', '```ts', 'const a: number = 1', "const b: number = 'x'", '```')
    expect(typeProblems(blocks)).toEqual([
      "page.md:4: Type 'string' is not assignable to type 'number'.",
    ])
  })

  it('knows the packages of the repository and what they do not export', () => {
    const block = one('ts', "import { createTool, makeTool } from 'ftl-sdk'", 'createTool')
    expect(typeProblems([block])).toEqual([expect.stringContaining("'makeTool'")])
  })

  it('has the names of the block above only where it goes on from it', () => {
    const lines = (info: string) => ['```ts', 'const a = 1', '```', `\`\`\`${info}`, 'a * 2', '```']
    expect(typeProblems(page(...lines('ts continues')))).toEqual([])
    expect(typeProblems(page(...lines('ts')))).toEqual([expect.stringContaining("'a'")])
  })

  it('has what is given, and its lines do not count', () => {
    const given = ['<!-- given:', 'declare const a: number', '-->']
    expect(typeProblems(page(...given, '```ts', 'a.toFixed()', 'a.nothing()', '```'))).toEqual([
      expect.stringMatching(/^page\.md:6: .*'nothing'/),
    ])
  })

  it('imports a file that readers of the page are not shown', () => {
    const lines = ['<!-- file: docs/a.ts', 'export const a: number = 1', '-->', '```ts']
    expect(typeProblems(page(...lines, "import { a } from './a.ts'", 'a', '```'))).toEqual([])
    const [hidden] = page('<!-- file: docs/a.ts', "export const a: number = 'x'", '-->')
    expect(typeProblems(hidden ? [hidden] : [])).toEqual([expect.stringContaining('page.md:2: ')])
  })

  it('imports a file of the page', () => {
    const lines = ['```ts src/a.ts', 'export const a = 1', '```', '```ts src/b.ts']
    expect(typeProblems(page(...lines, "import { a } from './a.ts'", 'a', '```'))).toEqual([])
    expect(typeProblems(page(...lines, "import { c } from './c.ts'", 'c', '```'))).toHaveLength(1)
  })
})

describe('JSON', () => {
  it.each(['{"a": 1,}', "{'a': 1}", '{"a": […]}', '// a comment\n{}'])('refuses %s', (code) => {
    expect(jsonProblems(one('json', ...code.split('\n')))).toEqual([
      expect.stringMatching(/^page\.md:1: /),
    ])
  })

  it('may have comments and commas at the end where it says so, also beside an address', () => {
    const code = ['{', '  "a": "http://a", // b', '  /* c */ "d": [1,],', '}']
    expect(jsonProblems(one('jsonc', ...code))).toEqual([])
    expect(jsonProblems(one('jsonc', '{ "a": }'))).toHaveLength(1)
  })
})

describe('TOML', () => {
  it.each([
    ['what is no TOML', 'toml', 'a = '],
    ['a key that no manifest has', 'toml', '[component.echo]\nhosts = ["https://a.example"]'],
    [
      'a component that does not exist',
      'toml',
      '[[trigger.http]]\nroute = "/x"\ncomponent = "nope"',
    ],
    ['a variable nobody declares', 'toml', '[component.echo.variables]\na = "{{ nobody }}"'],
    ['hosts that are none', 'toml component', 'allowed_outbound_hosts = ["a"]'],
    ['a store nobody can serve', 'toml runtime-config', '[key_value_store.default]\ntype = "tape"'],
    ['a Cargo.toml that is no TOML', 'toml cargo', '[lib'],
    ['a whole manifest without a name', 'toml', 'spin_manifest_version = 2'],
  ])('refuses %s', (_, info, code) => {
    expect(tomlProblems(one(info, ...code.split('\n')))).toEqual([
      expect.stringMatching(/^page\.md:1: /),
    ])
  })

  it('puts a new component with its trigger beside those there are', () => {
    const trigger = ['[[trigger.http]]', 'route = { private = true }', 'component = "greet"']
    const component = ['[component.greet]', 'key_value_stores = ["default"]']
    expect(tomlProblems(one('toml', ...trigger, ...component))).toEqual([])
  })
})

describe('commands', () => {
  it('are split as a shell splits them', () => {
    const lines = [
      '# a comment',
      'G=http://h A="b c"',
      'curl -s $G/x \\',
      `  -d '{"a": "it # is $G"}' -H "X: \\"\${A}\\"" > out.json   # and why`,
      'one && NAME=v two | three',
    ]
    expect(shellCommands(lines.join('\n'))).toEqual([
      {
        words: ['curl', '-s', 'http://h/x', '-d', '{"a": "it # is $G"}', '-H', 'X: "b c"'],
        environment: {},
        line: 2,
      },
      { words: ['one'], environment: {}, line: 4 },
      { words: ['two'], environment: { NAME: 'v' }, line: 4 },
      { words: ['three'], environment: {}, line: 4 },
    ])
  })

  it('without the end of a quote are refused', () => {
    expect(shellProblems([one('sh', "echo 'a", 'b')], program)).toEqual([
      'page.md:1: line 1: a quote or a backslash has no end',
    ])
  })

  it.each([
    ['ftl strat', 'there is no command "strat"'],
    ['npx ftl workflows lnt', 'ftl workflows has no command "lnt"'],
    ['ftl start --bridgeport 1', 'ftl start has no option --bridgeport'],
    ['ftl start --bridge-port', '--bridge-port needs a value'],
    ['ftl up --requests some', '--requests some: '],
    ['ftl call', 'ftl call needs <'],
    ['npm run nothing', 'there is no script "nothing"'],
    ['npm start -- --no-bridges', 'ftl start has no option --no-bridges'],
    ['npm crate ftl-tool', 'npm crate is not known here'],
    ['npm create other-tool', 'npm create other-tool is none of ours'],
    ['npx no-such-package', 'npx no-such-package is not known here'],
    ['node bench/nothing.ts', 'there is no file bench/nothing.ts'],
    ['curl -s localhost:3000', 'curl is given no address'],
    ['sudo rm', 'nobody knows the command "sudo"'],
  ])('%s: %s', (line, problem) => {
    expect(commandProblem(line.split(' '), program)).toContain(problem)
  })

  it.each([
    'ftl call echo message=Hello --json',
    'ftl bridge-stdio -- npx -y server --option',
    'npx ftl up --listen=127.0.0.1:4000 -e A=b',
    'ftl inspect --cli --method tools/list',
    'npm run dev',
    'npm run typecheck',
    'npm create ftl-tool@latest greet',
    'spin up --anything',
  ])('%s is right', (line) => {
    expect(commandProblem(line.split(' '), program)).toBeUndefined()
  })
})

describe('sentences', () => {
  it('name commands and flags that exist', () => {
    const text = ['`ftl start --no-bridge`, `--listen`', '', '```text', '`ftl nothing`', '```']
    expect(proseProblems(text.join('\n'), 'page.md', program)).toEqual([])
    const wrong = ['# Page', '`ftl begin`, `npm run nothing`', '`--bridgeport 1`, `ftl call`']
    expect(proseProblems(wrong.join('\n'), 'page.md', program)).toEqual([
      'page.md:2: there is no command "begin"',
      'page.md:2: there is no script "nothing"',
      'page.md:3: no command has --bridgeport',
    ])
  })
})

describe('what is quoted', () => {
  it('must be in its file, however it is indented', async () => {
    const lines = ['  "license": "Apache-2.0",', '  "type": "module",']
    expect(await quotedProblems(one('json from:package.json', ...lines))).toEqual([])
    expect(await quotedProblems(one('json from:package.json', '"license": "MIT"'))).toHaveLength(1)
    expect(await quotedProblems(one('json from:nothing.json', '{}'))).toHaveLength(1)
  })

  it('may be an example in a docstring of Rust', async () => {
    const quoted = (line: string) =>
      quotedProblems(
        one('rust from:rust/ftl-component/src/lib.rs', 'use schemars::JsonSchema;', line),
      )
    expect(await quoted('use serde::Deserialize;')).toEqual([])
    expect(await quoted('use serde::Serialize;')).toHaveLength(1)
  })
})

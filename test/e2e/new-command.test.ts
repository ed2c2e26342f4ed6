import { spawn } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ftl, REPOSITORY } from '../support/command.ts'

const CREATE = join(REPOSITORY, 'create-ftl-tool/bin/create-ftl-tool.mjs')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-new-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function run(args: string[], cwd = folder) {
  const command = ftl(['new', ...args], { cwd })
  const code = await command.exited
  return { code, output: command.output() }
}

/** `npm create ftl-tool`, as npm runs it. */
async function create(args: string[], cwd = folder) {
  const child = spawn(process.execPath, [CREATE, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output }
}

/** Every file by its path, but for what is installed. */
async function tree(path = folder, base = path): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const file = join(path, entry.name)
    if (entry.isDirectory()) Object.assign(files, await tree(file, base))
    else if (entry.isFile()) files[file.slice(base.length + 1)] = await readFile(file, 'utf8')
  }
  return files
}

/** An application with one tool, as `ftl new` makes it. */
async function application(): Promise<string> {
  await run(['first', '--yes', '--no-install'])
  const path = join(folder, 'first')
  await symlink(join(REPOSITORY, 'node_modules'), join(path, 'node_modules'))
  return path
}

describe('a new application', () => {
  it('says what was written and what to type next', async () => {
    const { code, output } = await run(['greet', '--no-install'])
    expect(code).toBe(0)
    expect(output).toContain('tools/greet/src/main.ts')
    expect(output).toMatch(
      /Next:\n  cd greet\n  npm install\n  npm run dev\n  npx ftl call greet name=Ada/,
    )
  })

  it('is the same from npm create ftl-tool', async () => {
    await run(['one', '--template', 'job', '--no-install'])
    const made = await tree()
    await rm(join(folder, 'one'), { recursive: true })
    expect(await create(['one', '--template=job', '--no-install'])).toMatchObject({ code: 0 })
    expect(await tree()).toEqual(made)
  })

  it('tells a program with --json', async () => {
    const { output } = await run(['greet', '--no-install', '--json', '--git'])
    expect(JSON.parse(output)).toMatchObject({
      kind: 'application',
      name: 'greet',
      tool: 'greet',
      template: 'tool',
      dryRun: false,
      application: join(folder, 'greet'),
      files: expect.arrayContaining(['spin.toml', 'tools/greet/src/main.ts']) as unknown,
    })
    expect((await stat(join(folder, 'greet/.git'))).isDirectory()).toBe(true)
  })

  it('is not written with --dry-run', async () => {
    expect((await run(['greet', '--dry-run'])).output).toContain('Would write the application')
    expect(await readdir(folder)).toEqual([])
  })

  it('never takes the place of anything', async () => {
    await mkdir(join(folder, 'greet'))
    await writeFile(join(folder, 'greet/notes.txt'), 'mine')
    for (const make of [run, create]) {
      const { code, output } = await make(['greet', '--no-install'])
      expect(code).toBe(1)
      expect(output).toContain('notes.txt')
    }
    expect(await tree()).toEqual({ 'greet/notes.txt': 'mine' })
  })

  it.each([
    [[], 'give the tool a name'],
    [['My Tool'], 'use "my-tool"'],
    [['zod'], 'use "zod-tool"'],
    [['greet', '--template', 'python'], 'there are tool, tools, job, stream, workflow, rust'],
    [['greet', '--in', 'nowhere'], 'there is no folder'],
    [['greet', '--packages', '.'], 'there is no ftl-*.tgz'],
  ])('is refused with what to do: %j', async (args, text) => {
    for (const make of [run, create]) {
      const { code, output } = await make([...args, '--no-install'])
      expect(code).toBe(1)
      expect(output).toContain(text)
      expect(output).not.toMatch(/^ +at /m)
    }
    expect(await readdir(folder)).toEqual([])
  })
})

describe('inside an application', () => {
  it('adds a tool beside the others, from any folder of it', async () => {
    const path = await application()
    const { code, output } = await run(['second', '-t', 'job'], join(path, 'tools/first/src'))
    expect(code).toBe(0)
    expect(output).toContain('tool_components = "first,second"')
    const files = await tree(path)
    expect(files['tools/second/src/main.ts']).toContain("name: 'second'")
    expect(files['spin.toml']).toContain('[component.second]')
  })

  it('takes the folder that its components are in', async () => {
    const path = await application()
    const manifest = join(path, 'spin.toml')
    await writeFile(
      manifest,
      (await readFile(manifest, 'utf8')).replaceAll('tools/', 'components/'),
    )
    expect((await run(['second', '--yes'], path)).output).toContain('components/second/src/main.ts')
  })

  it('does the same for npm create ftl-tool', async () => {
    const path = await application()
    expect(await create(['second', '--yes'], path)).toMatchObject({ code: 0 })
    expect(await readFile(join(path, 'spin.toml'), 'utf8')).toContain('[component.second]')
  })

  it('says what to install, where npm create ftl-tool finds no ftl', async () => {
    const path = await application()
    await rm(join(path, 'node_modules'))
    const { code, output } = await create(['second', '--yes'], path)
    expect(code).toBe(1)
    expect(output).toContain(`Run "npm install" in ${path} first`)
  })

  it('names the packages that are missing', async () => {
    const path = await application()
    await rm(join(path, 'node_modules'))
    const { output } = await run(['second', '--yes'], path)
    expect(output).toMatch(/npm install .*zod/)
  })

  it('refuses the name of a component or of a tool that is there', async () => {
    const path = await application()
    const before = await tree(path)
    expect((await run(['first', '--yes'], path)).output).toContain(
      'has a component "first" already',
    )
    const source = join(path, 'tools/first/src/main.ts')
    const changed = (await readFile(source, 'utf8')).replace("'first'", "'other_one'")
    await writeFile(source, changed)
    expect((await run(['other-one', '--yes'], path)).output).toMatch(
      /"first" has a tool other_one already \(tools\/first\/src\/main\.ts\)/,
    )
    expect(await tree(path)).toEqual({ ...before, 'tools/first/src/main.ts': changed })
  })

  it('writes nothing and prints the lines where the manifest cannot be extended', async () => {
    const path = await application()
    const manifest = join(path, 'spin.toml')
    const text = (await readFile(manifest, 'utf8')).replace(
      /tool_components = \{.*\}\n/,
      'tool_components = { required = true }\n',
    )
    await writeFile(manifest, text)
    const { code, output } = await run(['second', '--yes'], path)
    expect(code).toBe(1)
    expect(output).toContain('has no default')
    expect(output).toContain('[component.second]')
    expect(await readdir(join(path, 'tools'))).toEqual(['first'])
    expect(await readFile(manifest, 'utf8')).toBe(text)

    expect(await run(['second', '--yes', '--files-only'], path)).toMatchObject({ code: 0 })
    expect(await readdir(join(path, 'tools'))).toEqual(['first', 'second'])
    expect(await readFile(manifest, 'utf8')).toBe(text)
  })

  // The permissions of a folder do not stop root.
  it.skipIf(process.getuid?.() === 0)(
    'leaves no folder behind when the manifest cannot be replaced',
    async () => {
      const path = await application()
      await chmod(path, 0o555)
      expect(await run(['second', '--yes'], path)).toMatchObject({ code: 1 })
      await chmod(path, 0o755)
      expect(await readdir(join(path, 'tools'))).toEqual(['first'])
    },
  )

  it('is there as a whole or not at all when it is interrupted', async () => {
    const path = await application()
    const before = await tree(path)
    const started = performance.now()
    await run(['second', '--yes'], path)
    const took = performance.now() - started
    const after = await tree(path)
    for (const part of [0.3, 0.6, 0.8, 0.9, 0.95, 1]) {
      await rm(join(path, 'tools/second'), { recursive: true, force: true })
      await writeFile(join(path, 'spin.toml'), before['spin.toml'] ?? '')
      const command = ftl(['new', 'second', '--yes'], { cwd: path })
      setTimeout(() => command.signal('SIGINT'), took * part)
      await command.exited
      const left = await tree(path)
      expect(left).toEqual('tools/second/src/main.ts' in left ? after : before)
    }
  }, 60_000)

  it('makes an application of its own with --application', async () => {
    const path = await application()
    await run(['inner', '--application', '--yes', '--no-install'], path)
    expect(await readFile(join(path, 'inner/spin.toml'), 'utf8')).toContain('mcp-gateway')
  })

  it('says where a manifest is wrong', async () => {
    const path = await application()
    await writeFile(join(path, 'spin.toml'), 'spin_manifest_version = 2\n[application\n')
    const { code, output } = await run(['second', '--yes'], path)
    expect(code).toBe(1)
    expect(output).toMatch(/spin\.toml:2:\d+/)
  })
})

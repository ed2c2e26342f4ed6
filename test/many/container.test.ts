// The image of `ftl deploy plan container`: built with the bases of this machine, and started as its first lines say.
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, ftl, REPOSITORY } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'
import { writeBuilder, writeRuntime } from './image-bases.ts'
import { findProgram } from './programs.ts'

const run = promisify(execFile)
const MINUTES = 15 * 60_000
const CREATE = join(REPOSITORY, 'create-ftl-tool/bin/create-ftl-tool.mjs')
const MAX_BYTES = 250e6

/** Files of the folder that an image must not have. */
const SECRETS = ['.npmrc', 'conf/.env', 'conf/server.key', 'conf/my-runtime.toml', 'monday.db']

const podman = findProgram(['podman'], ['podman', 'buildah'])
const buildah = findProgram(['buildah'], ['buildah'])
const runtime = findProgram(['runc', 'crun'], ['runc'])

/** The words of a command of docs/deploying.md after `podman`, with what stands for names of the reader. */
function printed(begins: RegExp, own: Readonly<Record<string, string>>): string[] {
  const page = readFileSync(join(REPOSITORY, 'docs/deploying.md'), 'utf8')
  const command = page.split('\n').find((line) => begins.test(line))
  if (command === undefined) throw new Error(`the page has no line ${begins}`)
  return command
    .split(' ')
    .slice(1)
    .map((word) => Object.entries(own).reduce((all, [from, to]) => all.replace(from, to), word))
}

/** Why it cannot run here. */
function missing(): string | undefined {
  if (process.platform !== 'linux') return 'images are for Linux'
  if (!podman || !buildah || !runtime) return 'there is no podman, buildah or runc'
  if (process.getuid?.() !== 0) return 'only root can unpack images without a table of user ids'
  return undefined
}

const reason = missing()
describe.skipIf(reason !== undefined)(`an application as an image (${reason ?? 'podman'})`, () => {
  let folder: string
  let application: string
  const containers: string[] = []

  const storage = () => [
    ...['--root', join(folder, 'images'), '--runroot', join(folder, 'run')],
    ...['--storage-driver', 'vfs'],
  ]
  const build = async (context: string, tag: string, ...more: string[]) => {
    const args = ['bud', '--isolation', 'chroot', '--network', 'host', '--format', 'docker']
    const all = [...storage(), ...args, '--tag', tag, ...more, context]
    await run(buildah ?? '', all, { maxBuffer: 1 << 26 })
  }
  const inspect = (image: string, format: string) =>
    execFileSync(podman ?? '', [...storage(), 'image', 'inspect', '--format', format, image])
      .toString()
      .trim()

  beforeAll(async () => {
    // On a disk: each layer of the simplest storage is a copy of all files, which would take gigabytes of memory.
    folder = await mkdtemp('/var/tmp/ftl-image-')
    application = join(folder, 'egg')
    const { folder: packages } = await packedPackages()
    const args = [CREATE, 'egg', '--yes', '--no-install', '--packages', packages]
    await run(process.execPath, args, { cwd: folder })
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', install, { cwd: application })
    await writeFile(join(application, '.env'), 'SPIN_VARIABLE_API_KEYS=secret-of-this-machine\n')
    await mkdir(join(application, '.spin'))
    await writeFile(join(application, '.spin', 'sqlite_key_value.db'), 'state-of-this-machine')
    await mkdir(join(application, 'conf'))
    for (const name of [...SECRETS, 'conf/notes.txt']) {
      await writeFile(join(application, name), '# secret-of-this-machine\n')
    }
    const plan = ftl(['deploy', 'plan', 'container', '--write', '.'], { cwd: application })
    await plan.exited
    expect(plan.output()).toContain('Wrote Containerfile')
    const [builder, libraries] = [join(folder, 'builder'), join(folder, 'libraries')]
    await mkdir(builder)
    await mkdir(libraries)
    const npm = dirname(dirname(execFileSync('readlink', ['-f', npmProgram()]).toString().trim()))
    await writeBuilder(builder, npm)
    await writeRuntime(libraries)
    await build(builder, 'builder')
    await build(libraries, 'libraries')
    await build(
      application,
      'egg',
      ...[
        '--build-arg',
        'NODE_IMAGE=localhost/builder',
        '--build-arg',
        'BASE_IMAGE=localhost/libraries',
      ],
    )
  }, MINUTES)
  afterAll(async () => {
    for (const name of containers) {
      await run(podman ?? '', [...storage(), 'rm', '--force', '--time', '1', name]).catch(() => {})
    }
    await rm(folder, { recursive: true, force: true })
  })

  const podmanWith = async (...args: string[]) => {
    const { stdout, stderr } = await run(podman ?? '', [...storage(), ...args])
    return { stdout: stdout.trim(), all: stdout + stderr }
  }
  const state = async (name: string) => {
    const format = '{{.State.Running}} {{.State.ExitCode}}'
    return (await podmanWith('inspect', '--format', format, name)).stdout
  }
  const nextName = () => {
    const name = `egg-${basename(folder)}-${containers.length}`
    containers.push(name)
    return name
  }
  /** What a machine without a network of its own for containers, and without units of systemd, needs. */
  const here = ['--runtime', runtime ?? '']
  const detached = (name: string) => [
    ...['--detach', '--name', name, '--network', 'host'],
    ...['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
  ]
  const untilUp = async (name: string, url: string) => {
    const isUp = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isUp())) {
      if (!(await state(name)).startsWith('true')) {
        throw new Error(`it ended:\n${(await podmanWith('logs', name)).all}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }

  const npmProgram = () => execFileSync('sh', ['-c', 'command -v npm']).toString().trim()

  it('is small, runs without root, and has a health check', () => {
    const bytes = Number(inspect('egg', '{{.Size}}'))
    console.log(`the image has ${(bytes / 1e6).toFixed(0)} MB`)
    expect(bytes).toBeLessThan(MAX_BYTES)
    expect(inspect('egg', '{{.User}}')).toBe('65532:65532')
    expect(inspect('egg', '{{json .HealthCheck}}')).toContain('/.well-known/spin/health')
  })

  it(
    'serves with a read-only root, calls its tool, and ends when it is told to',
    async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const name = nextName()
      await podmanWith(
        ...[...here, 'run', ...detached(name), '--read-only', '--tmpfs', '/tmp'],
        ...[
          '--volume',
          `${name}:/state`,
          '--cap-drop',
          'all',
          '--security-opt',
          'no-new-privileges',
        ],
        ...['egg', 'up', '--listen', `127.0.0.1:${port}`, '--state-dir', '/state'],
      )
      await untilUp(name, url)
      const call = ftl(['tools', '--url', `${url}/mcp`])
      expect(await call.exited).toBe(0)
      expect(call.output()).toMatch(/^\s*egg/m)
      const inside = ['exec', name, '/usr/bin/node', '-e']
      const tried = `
      const { writeFileSync, readFileSync, existsSync } = require('node:fs')
      let written = true
      try { writeFileSync('/app/x', '') } catch { written = false }
      console.log(process.getuid(), written, existsSync('/app/.env'), existsSync('/app/.spin'), existsSync('/bin/sh'))
      console.log(${JSON.stringify([...SECRETS, 'conf/notes.txt'])}.filter((name) => existsSync('/app/' + name)).join())`
      const { stdout } = await podmanWith(...here, ...inside, tried)
      expect(stdout).toBe('65532 false false false false\nconf/notes.txt')
      await podmanWith(...here, 'stop', '--time', '20', name)
      expect(await state(name)).toBe('false 0')
    },
    MINUTES,
  )

  it(
    'takes a runtime configuration, and is backed up while it runs, by the commands of docs/deploying.md',
    async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const name = nextName()
      const [configuration, environment] = [join(folder, 'own.toml'), join(folder, 'own.env')]
      const values = '{ bridge_url = "wss://bridge.example" }'
      const provider = `[[variables_provider]]\ntype = "static"\nvalues = ${values}\n`
      await writeFile(configuration, provider)
      await writeFile(environment, "SPIN_VARIABLE_TOOLS_MODE='off'\n")
      const [command = '', ...words] = printed(/^podman run .*runtime\.toml/, {
        'my-tools-state': name,
        './runtime.toml': configuration,
        '.env': environment,
        'my-tools': 'egg',
        '0.0.0.0:3000': `127.0.0.1:${port}`,
      })
      await podmanWith(...here, command, ...detached(name), ...words)
      await untilUp(name, url)
      // Without the file it is "off".
      expect(await (await fetch(`${url}/health/components`)).json()).not.toHaveProperty('bridge')
      const call = ftl(['tools', '--url', `${url}/mcp`])
      expect(await call.exited).toBe(0)
      const { all } = await podmanWith(...here, ...printed(/^podman exec NAME /, { NAME: name }))
      expect(all).toMatch(/Wrote \/state\/monday\.db: [1-9]\d* entries/)
      await podmanWith(...here, 'stop', '--time', '20', name)
    },
    MINUTES,
  )
})

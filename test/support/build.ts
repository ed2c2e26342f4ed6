import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, which all test files share. */
    sharedFolder: string
    /** Source of the gateway for hosts; empty for one in the sandbox. */
    nativeGateway: string
    /** Source of `remote` for hosts; empty as well. */
    nativeRemote: string
    /** Path of the program of a worker. */
    workerProgram: string
  }
}

interface Sources {
  gateway: string
  remote: string
  worker: string
}

/** Of this process: several projects of the test runner ask for it, each with modules of its own. */
const shared = globalThis as {
  ftlTestBuild?: Promise<void>
  ftlTestFolder?: Promise<string>
  ftlTestSources?: Promise<Sources>
}

/** Builds every component before the first test; all of them are real ones. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await (shared.ftlTestFolder ??= mkdtemp(join(tmpdir(), 'ftl-tests-')))
  project.provide('sharedFolder', folder)
  await buildEverything()
  const isSandboxed = process.env['FTL_TEST_GATEWAY'] === 'sandboxed'
  const { gateway, remote, worker } = await sources()
  project.provide('nativeGateway', isSandboxed ? '' : gateway)
  project.provide('nativeRemote', isSandboxed ? '' : remote)
  project.provide('workerProgram', worker)
  return () => rm(folder, { recursive: true, force: true })
}

/** As `ftl up` gives it to the host. In a process of its own, because the test runner cannot resolve packages here. */
function sources(): Promise<Sources> {
  return (shared.ftlTestSources ??= readSources())
}

async function readSources(): Promise<Sources> {
  const [gateway, remote, worker] = ['native-gateway', 'native-remote', 'worker-program'].map(
    (name) => JSON.stringify(new URL(`../../cli/src/build/${name}.ts`, import.meta.url).href),
  )
  const script = `const { nativeGateway } = await import(${gateway})
const { nativeRemote } = await import(${remote})
const { workerProgram } = await import(${worker})
const [gateway, remote, worker] = await Promise.all([nativeGateway(), nativeRemote(), workerProgram()])
process.stdout.write(JSON.stringify({ gateway: gateway.code, remote: remote.code, worker }))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    {
      maxBuffer: 16 * 1024 * 1024,
    },
  )
  return JSON.parse(stdout) as Sources
}

/** Builds every component, once per process. */
export function buildEverything(): Promise<void> {
  return (shared.ftlTestBuild ??= build())
}

async function build(): Promise<void> {
  const script = fileURLToPath(new URL('./build-all.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: 'inherit' })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error('the components of the tests could not be built')
}

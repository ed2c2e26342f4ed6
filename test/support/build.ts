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
  }
}

interface NativeSources {
  gateway: string
  remote: string
}

/** Of this process: several projects of the test runner ask for it, each with modules of its own. */
const shared = globalThis as {
  ftlTestBuild?: Promise<void>
  ftlTestFolder?: Promise<string>
  ftlTestSources?: Promise<NativeSources>
}

/** Builds every component before the first test; all of them are real ones. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await (shared.ftlTestFolder ??= mkdtemp(join(tmpdir(), 'ftl-tests-')))
  project.provide('sharedFolder', folder)
  await buildEverything()
  const isSandboxed = process.env['FTL_TEST_GATEWAY'] === 'sandboxed'
  const { gateway, remote } = isSandboxed ? { gateway: '', remote: '' } : await nativeSources()
  project.provide('nativeGateway', gateway)
  project.provide('nativeRemote', remote)
  return () => rm(folder, { recursive: true, force: true })
}

/** As `ftl up` gives it to the host. In a process of its own, because the test runner cannot resolve packages here. */
function nativeSources(): Promise<NativeSources> {
  return (shared.ftlTestSources ??= readSources())
}

async function readSources(): Promise<NativeSources> {
  const [gateway, remote] = ['gateway', 'remote'].map((name) =>
    JSON.stringify(new URL(`../../cli/src/build/native-${name}.ts`, import.meta.url).href),
  )
  const script = `const { nativeGateway } = await import(${gateway})
const { nativeRemote } = await import(${remote})
const [gateway, remote] = await Promise.all([nativeGateway(), nativeRemote()])
process.stdout.write(JSON.stringify({ gateway: gateway.code, remote: remote.code }))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    {
      maxBuffer: 16 * 1024 * 1024,
    },
  )
  return JSON.parse(stdout) as NativeSources
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

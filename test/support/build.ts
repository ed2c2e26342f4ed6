import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, which all test files share. */
    sharedFolder: string
  }
}

/** Of this process: several projects of the test runner ask for it, each with modules of its own. */
const shared = globalThis as { ftlTestBuild?: Promise<void>; ftlTestFolder?: Promise<string> }

/** Builds every component before the first test; all of them are real ones. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await (shared.ftlTestFolder ??= mkdtemp(join(tmpdir(), 'ftl-tests-')))
  project.provide('sharedFolder', folder)
  await buildEverything()
  return () => rm(folder, { recursive: true, force: true })
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

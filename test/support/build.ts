import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Of this process: several projects of the test runner ask for it, each with modules of its own. */
const shared = globalThis as { ftlTestBuild?: Promise<void> }

/** Before the first test: every component is built, real ones all. */
export default function buildEverything(): Promise<void> {
  return (shared.ftlTestBuild ??= build())
}

async function build(): Promise<void> {
  const script = fileURLToPath(new URL('./build-all.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: 'inherit' })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error('the components of the tests could not be built')
}

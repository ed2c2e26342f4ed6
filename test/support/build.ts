import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Before the first test: every component is built, real ones all. */
export default async function buildEverything(): Promise<void> {
  const script = fileURLToPath(new URL('./build-all.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: 'inherit' })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error('the components of the tests could not be built')
}

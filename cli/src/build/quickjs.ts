/** Components with our own engine: Wizer evaluates the bundle with it, and the state it leaves becomes the component. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineFile } from '#engine'
import { componentNew } from '#wasm-tools'
import wizer from '@bytecodealliance/wizer'
import type { Builder } from './builder.ts'
import { readReport } from './engine-report.ts'

/** Bytes kept of what the engine prints, the last ones: a module may print without end. */
const OUTPUT_LIMIT = 64 * 1024

export const quickjs: Builder = {
  version: async () => `quickjs ${(await engineFile()).sha256}`,

  async build({ id, made, wit, folder }) {
    const core = join(folder, `${id}.core.wasm`)
    const { path } = await engineFile()
    await evaluate([path, '-o', core], made.code, id)
    const adapter = await readFile(wit.adapter)
    return componentNew(await readFile(core), [['wasi_snapshot_preview1', adapter]])
  },
}

/** Without the environment, so that nothing of this machine gets into the component. */
async function evaluate(args: string[], code: string, id: string): Promise<void> {
  const options = ['--allow-wasi', '--inherit-env', 'false', '--wasm-bulk-memory', 'true']
  const child = spawn(wizer, [...options, ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {},
  })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-OUTPUT_LIMIT)
  })
  // A bundle that cannot be compiled ends the process before it has read everything.
  child.stdin.on('error', () => {}).end(code)
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  if (status !== 0) throw new Error(readReport(printed, id))
}

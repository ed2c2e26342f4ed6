import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const RUST = fileURLToPath(new URL('../../rust/', import.meta.url))
const TARGET = fileURLToPath(new URL('../../.ftl/cache/rust-sdk', import.meta.url))

/** Why nothing in Rust can be built here; `undefined` when it can. */
export async function rustMissing(): Promise<string | undefined> {
  try {
    const { stdout } = await run('rustc', ['--print', 'target-libdir', '--target', 'wasm32-wasip2'])
    await run('ls', [stdout.trim()])
    await run('cargo', ['--version'])
    return undefined
  } catch {
    return 'cargo and the target wasm32-wasip2 are not here (rustup target add wasm32-wasip2)'
  }
}

/** Builds the workspace by its lock file; a minute or two the first time. */
export async function buildRust(): Promise<(name: string) => string> {
  const args = ['build', '--locked', '--release', '--target', 'wasm32-wasip2']
  await run('cargo', [...args, '--target-dir', TARGET], { cwd: RUST, maxBuffer: 1 << 26 })
  return (name) => `${TARGET}/wasm32-wasip2/release/${name}.wasm`
}

/** A command of cargo on the whole workspace, for the machine itself. */
export async function cargo(...args: string[]): Promise<string> {
  const { stdout } = await run('cargo', [...args], {
    cwd: RUST,
    maxBuffer: 1 << 26,
    env: { ...process.env, CARGO_TARGET_DIR: TARGET },
  })
  return stdout
}

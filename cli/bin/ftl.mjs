#!/usr/bin/env node
// WebAssembly must be able to wait for JavaScript (JSPI). The user's Node runs the command if it can do that; else one
// that find-node.mjs finds or fetches.
import { spawn } from 'node:child_process'
import module from 'node:module'
import { basename, dirname, join } from 'node:path'
import { findNode, isNewEnough } from './find-node.mjs'

if (isNewEnough()) {
  // Reading and compiling modules takes a fifth of the start. The cache is beside them, not in the system's temporary
  // folder, because every program that can write there could have its code run. If the folder cannot be written, there
  // is no cache and no error.
  module.enableCompileCache(join(cacheFolder(), 'code'))
  const { main } = await import('#main')
  await main(process.argv.slice(2))
} else {
  const child = spawn(nodeOrExit(), [import.meta.filename, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

function nodeOrExit() {
  try {
    return findNode()
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

/** `node_modules/.cache/ftl` of an installed package, `.ftl/cache` of the repository. */
function cacheFolder() {
  const above = dirname(dirname(import.meta.dirname))
  return basename(above) === 'node_modules'
    ? join(above, '.cache', 'ftl')
    : join(above, '.ftl', 'cache')
}

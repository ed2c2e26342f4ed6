/** What a component with `node_compat` tries to reach, and what it gets. */
import childProcess from 'node:child_process'
import dns from 'node:dns/promises'
import fs, { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import { createRequire } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import vm from 'node:vm'
import { Worker } from 'node:worker_threads'

const Stream = class extends fs.ReadStream {}

const attempts: Record<string, () => unknown> = {
  'read a file': () => readFileSync('/etc/passwd', 'utf8'),
  'read a file later': () => readFile('/etc/passwd'),
  'read a file by promises': () => fs.promises.readFile('/etc/passwd'),
  'write a file': () => fs.writeFileSync('/tmp/x', 'y'),
  'open a stream': () => Reflect.construct(Stream, ['/etc/passwd']) as unknown,
  'list a folder': () => fs.readdirSync('/'),
  'open a socket': () => net.connect(80, '127.0.0.1'),
  serve: () => http.createServer().listen(0),
  'send a request': () => http.get('http://127.0.0.1/'),
  'look up a name': () => dns.lookup('localhost'),
  'start a program': () => childProcess.execSync('id'),
  'start a thread': () => new Worker('x.js'),
  'load a module': () => createRequire('file:///x')('fs') as unknown,
  'run code elsewhere': () => vm.runInThisContext('1') as unknown,
  'end the process': () => process.exit(1),
  'change the folder': () => process.chdir('/etc'),
}

export default {
  fetch: async (): Promise<Response> => {
    const reached: Record<string, string> = {}
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        reached[name] = `reached: ${String(await attempt())}`
      } catch (error) {
        reached[name] = (error as Error).message
      }
    }
    return Response.json({
      reached,
      env: { ...process.env },
      cwd: process.cwd(),
      machine: [os.hostname(), os.cpus().length, os.homedir(), os.userInfo().username],
      binding: typeof Reflect.get(process, 'binding'),
      globals: ['process', 'Buffer', 'require', 'global'].filter((name) => name in globalThis),
    })
  },
}

/**
 * Base images made of the programs of this machine, for a machine that reaches no registry of images: in place of
 * `node:26-bookworm-slim`, with a shell, Node and npm; and of distroless, with libraries alone.
 */
import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What the lines of the Containerfile and npm run. */
const PROGRAMS = ['sh', 'env', 'cp', 'mkdir', 'rm']

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** Writes the folder of an image that can build. @param npm folder of npm itself */
export async function writeBuilder(folder: string, npm: string): Promise<void> {
  const root = join(folder, 'root')
  for (const name of PROGRAMS) {
    const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    // In both folders, because scripts name `/bin/sh` and `/usr/bin/env`.
    for (const place of ['bin', 'usr/bin']) {
      await copyWithLibraries(await realpath(path), join(root, place, name), root)
    }
  }
  // The Node that runs this test.
  await copyWithLibraries(process.execPath, join(root, 'usr/bin/node'), root)
  await addLibrt(root)
  await cp(npm, join(root, 'usr/lib/npm'), { recursive: true, dereference: true })
  for (const name of ['npm', 'npx']) {
    const text = `#!/bin/sh\nexec /usr/bin/node /usr/lib/npm/bin/${name}-cli.js "$@"\n`
    await writeFile(join(root, 'usr/bin', name), text, { mode: 0o755 })
  }
  await writeSystem(root)
  await writeFile(
    join(folder, 'Containerfile'),
    `FROM scratch\nCOPY root/ /\nENV PATH=/usr/bin:/bin HOME=/root NODE_EXTRA_CA_CERTS=${CERTIFICATES}\n`,
  )
}

/** Writes the folder of an image that has what Node needs and no programs. */
export async function writeRuntime(folder: string): Promise<void> {
  const root = join(folder, 'root')
  await copyLibraries(process.execPath, root)
  await writeSystem(root)
  await writeFile(join(folder, 'Containerfile'), 'FROM scratch\nCOPY root/ /\n')
}

async function writeSystem(root: string): Promise<void> {
  for (const path of ['tmp', 'root', 'etc/ssl/certs']) {
    await mkdir(join(root, path), { recursive: true })
  }
  // As in other images: a tmpfs that is mounted there takes its mode.
  await chmod(join(root, 'tmp'), 0o1777)
  await writeFile(
    join(root, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnonroot:x:65532:65532::/:\n',
  )
  for (const path of ['/etc/resolv.conf', '/etc/hosts', CERTIFICATES]) {
    const text = await readFile(path).catch(() => undefined)
    if (text !== undefined) await writeFile(join(root, path), text)
  }
}

async function copyWithLibraries(from: string, to: string, root: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to)
  await copyLibraries(from, root)
}

/** As the loader of this machine finds them. */
async function copyLibraries(program: string, root: string): Promise<void> {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' })
  for (const [path] of listed.matchAll(/\/[^\s()]+/g)) {
    if (path === program) continue
    await mkdir(join(root, dirname(path)), { recursive: true })
    await cp(await realpath(path), join(root, path))
  }
}

/** A part of glibc that Node does not need, and the parser of `ftl build` does. */
async function addLibrt(root: string): Promise<void> {
  const listed = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
  const [libc = ''] = /\/\S+\/libc\.so\.6/.exec(listed) ?? []
  const librt = join(dirname(libc), 'librt.so.1')
  await cp(await realpath(librt), join(root, librt))
}

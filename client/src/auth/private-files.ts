/** Files that only the user can read. A program that reads them can act as the user, so anything unusual is refused. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AuthenticationError } from '../errors.ts'

/** Read, write or search by the group and others. */
const FOR_OTHERS = 0o077
const MAX_BYTES = 256 * 1024

/** Windows has no such modes: a user's folder is private there by its access list. */
const hasModes = process.platform !== 'win32'

/**
 * Creates the folder if it is missing, and checks it.
 *
 * @throws {AuthenticationError} when it is a link, of another user, or open to others.
 */
export async function preparePrivateFolder(folder: string): Promise<void> {
  if (folder === '') {
    throw new AuthenticationError('there is no home folder for tokens: set FTL_TOKEN_STORE')
  }
  const code = await mkdir(folder, { recursive: true, mode: 0o700 }).then(
    () => 'ENOENT',
    (error: NodeJS.ErrnoException) => error.code ?? '',
  )
  // First, because it names a file or a link in its place.
  if (!(await checkPrivateFolder(folder))) throw refusal(folder, `cannot be created (${code})`)
}

/** @returns `false` when there is no such folder, or it is out of reach. @throws {AuthenticationError} as {@link preparePrivateFolder} does. */
export async function checkPrivateFolder(folder: string): Promise<boolean> {
  const found = folder === '' ? undefined : await lstat(folder).catch(missing)
  if (!found) return false
  if (found.isSymbolicLink()) throw refusal(folder, 'is a symbolic link')
  if (!found.isDirectory()) throw refusal(folder, 'is not a folder')
  checkOwner(folder, found)
  if (hasModes && (found.mode & FOR_OTHERS) !== 0) {
    throw refusal(folder, `is open to other users: run chmod 700 ${folder}`)
  }
  return true
}

/** @returns `undefined` when there is no such file. @throws {AuthenticationError} when others could read or replace it. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | (hasModes ? constants.O_NOFOLLOW | constants.O_NONBLOCK : 0)
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw refusal(path, 'is a symbolic link')
    return missing(error)
  })
  if (!file) return undefined
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > MAX_BYTES) throw refusal(path, 'is not a file of ftl')
    checkOwner(path, found)
    if (hasModes && (found.mode & FOR_OTHERS) !== 0) {
      throw refusal(path, `is open to other users: run chmod 600 ${path}, and sign in again`)
    }
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Replaces the file in one step: a reader finds the old or the new one. */
export async function writePrivateFile(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `.${name}.${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw refusal(
      join(folder, name),
      `cannot be written (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}

function checkOwner(path: string, { uid }: { uid: number }): void {
  const user = process.getuid?.()
  if (user !== undefined && uid !== user) throw refusal(path, 'belongs to another user')
}

function missing(error: NodeJS.ErrnoException): undefined {
  // In a container, the home folder may be that of another user.
  if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code ?? '')) return undefined
  throw error
}

function refusal(path: string, what: string): AuthenticationError {
  return new AuthenticationError(`the token store is not used: ${path} ${what}`)
}

/**
 * Checks the types of what is built with the project's TypeScript, because builds strip types unchecked: beside `ftl dev` and
 * `ftl build`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { excerpt } from '../build/source-excerpt.ts'
import { CommandFailure } from '../terminal/failure.ts'

const DIAGNOSTIC = /^(.+)\((\d+),(\d+)\): error (TS\d+: .*)$/

export interface TypeCheckOptions {
  /** Folder of `tsconfig.json`. */
  folder: string
  cacheFolder: string
  /** Absolute paths of the modules that are built; those of packages are left out. */
  entries: () => readonly string[]
}

export class TypeCheck {
  readonly #options: TypeCheckOptions
  readonly #compiler: string
  #process: ChildProcess | undefined
  #isClosed = false

  /** @throws {CommandFailure} naming what the project lacks. */
  constructor(options: TypeCheckOptions) {
    this.#options = options
    const { folder } = options
    if (!existsSync(join(folder, 'tsconfig.json'))) {
      throw new CommandFailure(
        `--typecheck: there is no tsconfig.json in ${folder}; make one with: npx tsc --init`,
      )
    }
    try {
      const manifest = createRequire(join(folder, 'x.js')).resolve('typescript/package.json')
      this.#compiler = join(dirname(manifest), 'bin', 'tsc')
    } catch {
      throw new CommandFailure(
        '--typecheck: TypeScript is not installed; add it with: npm install --save-dev typescript',
      )
    }
  }

  /**
   * Ends a running check, because the files it reads have changed.
   *
   * @returns each error with its source line, none when the types are fine; `undefined` if there is nothing to check, a newer
   *   check has begun, or this one was closed.
   */
  async check(): Promise<readonly string[] | undefined> {
    this.#end()
    const project = this.#isClosed ? undefined : this.#project()
    if (project === undefined) return undefined
    const { folder } = this.#options
    const args = [this.#compiler, '--project', project, '--pretty', 'false']
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#process = child
    yieldTo(child)
    const output = await text(child.stdout)
    if (this.#process !== child) return undefined
    this.#process = undefined
    return readDiagnostics(output, folder)
  }

  /** A change that is taken up meanwhile starts no check: what had begun would keep the command from ending. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    this.#process?.kill()
    this.#process = undefined
  }

  /** The project's own options, for the modules that are built and its declarations. @returns `undefined` without modules. */
  #project(): string | undefined {
    const { folder, cacheFolder, entries } = this.#options
    const files = entries().filter(
      (entry) => /\.[cm]?tsx?$/.test(entry) && !/[\\/]node_modules[\\/]/.test(entry),
    )
    if (files.length === 0) return undefined
    const path = join(cacheFolder, 'types.json')
    const project = {
      extends: join(folder, 'tsconfig.json'),
      compilerOptions: {
        noEmit: true,
        composite: false,
        incremental: true,
        tsBuildInfoFile: join(cacheFolder, 'types.tsbuildinfo'),
      },
      files,
      include: [join(folder, '**', '*.d.ts')],
      exclude: ['node_modules', 'dist', '.ftl'].map((name) => join(folder, '**', name)),
      references: [],
    }
    mkdirSync(cacheFolder, { recursive: true })
    writeFileSync(path, JSON.stringify(project))
    return path
  }
}

/** The check of an application that has what it takes; `undefined` for one that is not in TypeScript. */
export function findTypeCheck(options: TypeCheckOptions): TypeCheck | undefined {
  try {
    return new TypeCheck(options)
  } catch (error) {
    if (error instanceof CommandFailure) return undefined
    throw error
  }
}

/** Builds and calls go first. */
function yieldTo({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or the system does not permit it.
  }
}

/** @param folder base of the relative paths in `output`. */
export function readDiagnostics(output: string, folder: string): string[] {
  return output.split('\n').flatMap((line) => {
    const [, file = '', row, column, message] = DIAGNOSTIC.exec(line) ?? []
    // An error without a place, for example in an option of tsconfig.json.
    if (message === undefined) return /^error TS\d+/.test(line) ? [line] : []
    const path = relative(process.cwd(), resolve(folder, file))
    return [excerpt({ file: path, line: Number(row), column: Number(column) }, message)]
  })
}

/** `2 type errors`, for a line after them. */
export const countText = (count: number): string => `${count} type error${count === 1 ? '' : 's'}`

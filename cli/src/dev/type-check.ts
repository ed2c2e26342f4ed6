/** `--typecheck`: runs the project's TypeScript compiler in the background, because builds strip types unchecked. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { excerpt } from '../build/source-excerpt.ts'
import { CommandFailure } from '../terminal/failure.ts'

const DIAGNOSTIC = /^(.+)\((\d+),(\d+)\): error (TS\d+: .*)$/

export interface TypeCheckOptions {
  /** Folder of `tsconfig.json`. */
  folder: string
  cacheFolder: string
  /** Receives each error with its source line; empty when the check passed. */
  onDone: (errors: readonly string[]) => void
}

export class TypeCheck {
  readonly #options: TypeCheckOptions
  readonly #compiler: string
  #process: ChildProcess | undefined

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

  /** Restarts a running check, because the files it reads have changed. */
  start(): void {
    this.close()
    const { folder, cacheFolder, onDone } = this.#options
    const memory = ['--incremental', '--tsBuildInfoFile', join(cacheFolder, 'types.tsbuildinfo')]
    const child = spawn(
      process.execPath,
      [this.#compiler, '--noEmit', '--pretty', 'false', ...memory],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    this.#process = child
    void text(child.stdout).then((output) => {
      if (this.#process !== child) return
      this.#process = undefined
      onDone(readDiagnostics(output, folder))
    })
  }

  close(): void {
    this.#process?.kill()
    this.#process = undefined
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

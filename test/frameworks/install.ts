/** Installs each framework into a folder of its own, once. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Framework } from './frameworks.ts'

const run = promisify(execFile)
const LIMITS = { timeout: 900_000, maxBuffer: 64 * 1024 * 1024 }
/** Of Maven: where the packages are, as `java -cp` takes it. */
const CLASS_PATH = 'class-path'

type Command = [program: string, ...first: string[]]

interface Language {
  install(folder: string, packages: readonly string[], python: string): Promise<unknown>
  command(folder: string): Command | Promise<Command>
}

const LANGUAGES: Readonly<Record<Framework['language'], Language>> = {
  python: {
    async install(folder, packages, python) {
      await run(python, ['-m', 'venv', folder], LIMITS)
      const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check']
      await run(inFolder(folder), [...pip, ...packages], LIMITS)
    },
    command: (folder) => [inFolder(folder), join(import.meta.dirname, 'python', 'ask.py')],
  },
  node: {
    async install(folder, packages) {
      await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
      const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts']
      await run('npm', [...npm, ...packages], { ...LIMITS, cwd: folder })
    },
    async command(folder) {
      // A module finds packages by where it is.
      const script = join(folder, 'ask.mjs')
      await copyFile(join(import.meta.dirname, 'node', 'ask.mjs'), script)
      return [process.execPath, script]
    },
  },
  java: {
    async install(folder, packages) {
      await writeFile(join(folder, 'pom.xml'), pomOf(packages))
      const goal = ['-q', '-B', 'dependency:build-classpath', `-Dmdep.outputFile=${CLASS_PATH}`]
      await run('mvn', goal, { ...LIMITS, cwd: folder })
    },
    async command(folder) {
      const path = (await readFile(join(folder, CLASS_PATH), 'utf8')).trim()
      return ['java', '-cp', path, join(import.meta.dirname, 'java', 'Ask.java')]
    },
  },
}

/** @returns the program and its first arguments. */
export async function install(
  root: string,
  name: string,
  { language, packages }: Framework,
  python: string,
): Promise<Command> {
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)
  const folder = join(root, `${name}-${hash}`)
  const done = join(folder, 'complete')
  const of = LANGUAGES[language]
  if (!existsSync(done)) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await of.install(folder, packages, python)
    await writeFile(done, '')
  }
  return of.command(folder)
}

const inFolder = (folder: string) => join(folder, 'bin', 'python')

function pomOf(packages: readonly string[]): string {
  const dependencies = packages.map((each) => {
    const [group, artifact, version = 'LATEST'] = each.split(':')
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
  })
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>frameworks</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${dependencies.join('')}</dependencies>
</project>`
}

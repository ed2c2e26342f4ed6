/** Where a new component in Rust finds our crate `ftl-component`, which crates.io does not have yet. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quote } from './component.ts'
import { NewFailure } from './failure.ts'

const CRATE = 'ftl-component'

/** The crate in a clone of the repository, from which this package runs there. */
const IN_REPOSITORY = fileURLToPath(new URL(`../../rust/${CRATE}`, import.meta.url))

/** The crate in an application: every application has the package `ftl`, which contains it. */
const INSTALLED = `node_modules/ftl/rust/${CRATE}`

export interface RustPlace {
  /** Absolute path of the application. */
  application: string
  /** Absolute path of the component, which may not exist yet. */
  component: string
}

/**
 * The dependency as a value of `Cargo.toml`.
 *
 * @param given a version, the address of a git repository, or a folder. @default the crate that came with this package
 * @throws {NewFailure} when a folder does not contain the crate.
 */
export function rustDependency({ application, component }: RustPlace, given?: string): string {
  if (given === undefined) {
    const folder = existsSync(IN_REPOSITORY) ? IN_REPOSITORY : join(application, INSTALLED)
    return pathFrom(component, folder)
  }
  if (/^\d+(\.\d+)*/.test(given)) return quote(given)
  if (/^(https?|ssh|git|file):\/\//.test(given)) return `{ git = ${quote(given)} }`
  const folder = resolve(given)
  if (!isCrate(folder)) {
    throw new NewFailure(
      `--rust-sdk: ${folder} does not contain the crate ${CRATE}; ` +
        'give its folder, the address of a git repository, or a version',
    )
  }
  return pathFrom(component, folder)
}

function pathFrom(component: string, folder: string): string {
  return `{ path = ${quote(relative(component, folder).replaceAll('\\', '/'))} }`
}

function isCrate(folder: string): boolean {
  try {
    const manifest = readFileSync(join(folder, 'Cargo.toml'), 'utf8')
    return new RegExp(`^name = "${CRATE}"$`, 'm').test(manifest)
  } catch {
    return false
  }
}

/**
 * The files of a template, from `templates/`: real files, checked by the linter, the compiler and the tests of this
 * repository. Their tool is called `template_name`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toolName } from './names.ts'
import type { Template } from './template.ts'

export interface TemplateValues {
  /** The Rust crate `ftl-component`, as a value of `Cargo.toml`. */
  rustCrate: string
}

const FOLDER = fileURLToPath(new URL('../templates/', import.meta.url))

/** Left in a template's folder by a build or an editor; not part of the published package. */
const LEFT = /^(target|node_modules|dist|\.ftl)\/|^Cargo\.lock$/

/** Files of the component, by their path in its folder. */
export function templateFiles(
  template: Template,
  component: string,
  { rustCrate }: TemplateValues,
): Map<string, string> {
  const folder = join(FOLDER, template.id)
  const fill = (text: string) =>
    text
      .replaceAll('template-name', component)
      .replaceAll('template_name', toolName(component))
      .replace(/^ftl-component = .*$/m, `ftl-component = ${rustCrate}`)
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, file.slice(folder.length + 1).replaceAll('\\', '/')] as const)
      .filter(([, path]) => !LEFT.test(path))
      .map(([file, path]) => [fill(path), fill(readFileSync(file, 'utf8'))]),
  )
}

/** Inferred types of other packages, by the name of their package. */
import { dirname, relative, resolve } from 'node:path'
import ts from 'typescript'

/**
 * The compiler writes `import("../../dist/staged-x/ftl-http/dist/settings.js").SettingsOf` for the inferred type of an
 * export, if the module does not import the type: a path of this machine. The package exports the type, so its name can
 * take the place of the path.
 *
 * @param file absolute path of the declarations.
 * @param folder of the package.
 * @param paths entries of other packages, by what is imported.
 * @throws {Error} for a type that no entry exports.
 */
export function withPackageNames(
  text: string,
  file: string,
  folder: string,
  paths: Record<string, string>,
  program: ts.Program,
): string {
  return text.replace(/\bimport\("(\.[^"]*)"\)\.(\w+)/g, (whole, path: string, type: string) => {
    if (!relative(folder, resolve(dirname(file), path)).startsWith('..')) return whole
    const entry = Object.keys(paths).find((name) => exportsOf(paths[name], program).has(type))
    if (entry !== undefined) return `import("${entry}").${type}`
    throw new Error(
      `${relative(folder, file)}: no package exports the inferred type ${type} (${path}); write the type of this export`,
    )
  })
}

function exportsOf(entry: string | undefined, program: ts.Program): Set<string> {
  const source = entry === undefined ? undefined : program.getSourceFile(entry)
  const checker = program.getTypeChecker()
  const module = source && checker.getSymbolAtLocation(source)
  return new Set(module ? checker.getExportsOfModule(module).map(({ name }) => name) : [])
}

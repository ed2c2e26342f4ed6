/** TypeScript to JavaScript and declarations. */
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { REPOSITORY } from './manifest.ts'
import { withPackageNames } from './package-names.ts'

export interface Compilation {
  /** Absolute folder whose structure the output keeps. */
  rootDir: string
  outDir: string
  /** Absolute paths; what they do not lead to is not compiled. */
  modules: string[]
  /** Where the declarations of our other packages are, by what is imported. */
  paths: Record<string, string>
}

/** @throws {Error} with every mistake and its place. */
export function compile({ rootDir, outDir, modules, paths }: Compilation): void {
  const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  ) as { config: { compilerOptions: unknown } }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, REPOSITORY)
  const compilerOptions = {
    ...options,
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir,
    outDir,
    paths: Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, [path]])),
  }
  const program = ts.createProgram(modules, compilerOptions, hostFor(compilerOptions))
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const own = (declarations: string) =>
      withPackageNames(withJsExtensions(declarations), path, outDir, paths, program)
    ts.sys.writeFile(path, path.endsWith('.d.ts') ? own(text) : text)
  })
  const all = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  if (all.length === 0) return
  throw new Error(
    ts.formatDiagnostics(all, {
      getCurrentDirectory: () => resolve(REPOSITORY),
      getCanonicalFileName: (name) => name,
      getNewLine: () => '\n',
    }),
  )
}

/** Parsed files of others, which every package sees the same; reading them is most of the time. */
const known = new Map<string, ts.SourceFile | undefined>()

function hostFor(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (path, ...rest) => {
    if (!path.includes('/node_modules/')) return read(path, ...rest)
    if (!known.has(path)) known.set(path, read(path, ...rest))
    return known.get(path)
  }
  return host
}

/** The compiler leaves `./x.ts` in declarations, which not every tool reads as `./x.d.ts`. */
function withJsExtensions(declarations: string): string {
  return declarations.replace(/((?:from|import\()\s*['"]\.\.?\/[^'"]*)\.ts(['"])/g, '$1.js$2')
}

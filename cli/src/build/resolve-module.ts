/** Resolves a module of an installed package by the bundler's rules, as the build of a component does. */
import { build } from 'esbuild'

/**
 * @param specifier as in an import: `ftl-gateway`, `@scope/tools/weather`.
 * @param folder absolute path of the folder of the importing module.
 * @returns the absolute path, or why the module cannot be resolved.
 */
export async function resolveModule(
  specifier: string,
  folder: string,
): Promise<{ path: string } | { problem: string }> {
  let answer: { path: string } | { problem: string } = { problem: 'it was not looked for' }
  await build({
    stdin: { contents: '' },
    write: false,
    logLevel: 'silent',
    // The conditions of `exports` follow from these two.
    platform: 'browser',
    format: 'esm',
    plugins: [
      {
        name: 'resolve-module',
        setup(context) {
          context.onStart(async () => {
            const { path, external, errors } = await context.resolve(specifier, {
              kind: 'import-statement',
              resolveDir: folder,
            })
            const [error] = errors
            if (error)
              answer = {
                problem: [error, ...error.notes]
                  .map(({ text }) => text)
                  .filter(isCause)
                  .join('; '),
              }
            else if (!external) answer = { path }
          })
        },
      },
    ],
  })
  return answer
}

/** Drops the bundler's advice to mark the path as external, because the caller needs the module. */
function isCause(text: string): boolean {
  return !text.startsWith('You can mark the path')
}

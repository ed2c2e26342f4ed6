/**
 * Where an installed package's module is, by the bundler's own rules: those a component is built by.
 *
 * @module
 */
import { build } from 'esbuild'

/**
 * @param specifier as in an import: `ftl-gateway`, `@scope/tools/weather`.
 * @param folder absolute; where the import would stand.
 * @returns the absolute path, or why there is none.
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

/** How to go on without the module is no help to whoever needs it. */
function isCause(text: string): boolean {
  return !text.startsWith('You can mark the path')
}

/** What to type after packing; a test runs these lines as they are printed. */

/**
 * @param creator path of the tarball of create-ftl-tool.
 * @param folder of all tarballs.
 */
export function nextLines(creator: string, folder: string): string[] {
  return [
    `  npm exec --yes --package=${quoted(creator)} -- create-ftl-tool greet --packages ${quoted(folder)} --yes`,
    '  cd greet',
    '  npm run dev',
  ]
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** Something in the configuration that cannot be used as it is. */

export interface Problem {
  /** Path below the mounts, for example `config/render-types.json`. */
  file: string
  /** Where in the file, as keys and indexes; empty: the file itself. */
  path: readonly (string | number)[]
  /** What is wrong, and what to do about it. */
  message: string
}

/** `config/styles.json: 2.prompt: must include "{prompt}"`. */
export function formatProblem({ file, path, message }: Problem): string {
  return path.length === 0 ? `${file}: ${message}` : `${file}: ${path.join('.')}: ${message}`
}

/** In place of the check where no module of a component has the word `x-mcp-header`: see `imports` in package.json. */
export function headerParamProblem(): undefined {
  return undefined
}

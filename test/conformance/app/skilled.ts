/** A component that has skills and nothing else: `skills` in spin.toml names their folder. */
export const prompts = []

/**
 * How clients read the front matter of a skill. The official ones read less than all of YAML, and refuse a skill whose
 * front matter is not what the gateway says of it.
 */
import { SKILL_FILE, type SkillFrontmatter } from 'ftl-contract'
import { isDeepStrictEqual } from 'node:util'

/**
 * @param source of `SKILL.md`.
 * @param own how we read it.
 * @returns what is wrong. @default nothing
 */
export async function problemForClients(
  source: string,
  own: SkillFrontmatter,
): Promise<string | undefined> {
  // Few applications have skills, and it takes time to load.
  const { SkillCatalogError, skillEntry } = await import('@modelcontextprotocol/server/ext/skills')
  try {
    const { frontmatter } = await skillEntry(own.name, { [SKILL_FILE]: source })
    if (isDeepStrictEqual(frontmatter, own)) return undefined
    return 'clients of MCP read its front matter in another way: put texts in quotes'
  } catch (error) {
    if (!(error instanceof SkillCatalogError)) throw error
    const reasons = error.problems.map(({ message }) => message.replace(/^.*?frontmatter: /, ''))
    return `clients of MCP do not read its front matter: ${reasons.join('; ')}`
  }
}

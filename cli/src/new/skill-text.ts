/** The `SKILL.md` of a new skill. */

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_NAME = 64
/** Devices on Windows, whatever the folder. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** What is wrong with the name of a skill; `undefined` when it is right. @see https://agentskills.io/specification#name-field */
export function skillNameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME) return `of a skill must have at most ${MAX_NAME} characters`
  if (!NAME.test(name)) {
    return `"${name}" must be words of a-z and 0-9 with single dashes between them, such as refund-orders`
  }
  return DEVICE.test(name) ? `"${name}" cannot be a folder on Windows` : undefined
}

/** Valid as it is: `ftl build` takes it, and clients read it. */
export function skillText(name: string): string {
  const words = name.replaceAll('-', ' ')
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return `---
name: ${/^[a-z]/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/.test(name) ? name : `"${name}"`}
description: "What this skill does, and when to use it: a model reads only this line until it chooses the skill."
---

# ${title}

Write here what the model must do, step by step.

Put what it needs only sometimes into files beside this one, such as \`references/policy.md\`, and name them here by their path:
they belong to the skill.
`
}

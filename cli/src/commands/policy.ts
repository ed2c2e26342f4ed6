import { Argument, Command, Option } from 'commander'
import { ACTIONS, type Action, type Subject } from 'ftl-gateway/policy'
import { CommandFailure, describeFailure } from '../terminal/failure.ts'
import { checkPolicy } from '../policy/check.ts'
import { asJson, explain, explainAll, EXIT_CODES, FAILED, sentence } from '../policy/explain.ts'
import { type PolicySource, readPolicy } from '../policy/policy-source.ts'
import { type Published, publishedBy } from '../policy/published.ts'
import { loadApplication } from '../application/load-application.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { note } from '../terminal/terminal.ts'
import { visible } from '../terminal/visible-text.ts'
import { variableOption } from './host-options.ts'
import { fromOption } from './options.ts'

const EXAMPLES = `
Examples:
  ftl policy check policy.json
  ftl policy explain --as key:ci call echo
  ftl policy explain --as https://auth.example.com#ada --group staff --scope tools`

const CHECK_EXAMPLES = `
Examples:
  ftl policy check policy.json                       check a file
  ftl policy check                                   check the variable policy of the environment or .env
  ftl policy check --variable policy=@policy.json    check what "ftl up" would get

Exit status: 0 without findings, 1 with findings, 2 if the policy is not valid.`

const EXPLAIN_EXAMPLES = `
Examples:
  ftl policy explain --as key:ci call echo           may the program with the key "ci" call echo?
  ftl policy explain --as ada read notes://plan      may a user that a proxy names read a resource?
  ftl policy explain --as https://auth.example.com#ada --group staff --scope tools
                                                     everything that a user with a token may do

Exit status: 0 permitted, 1 denied, 3 only with approval, 2 if that cannot be decided.`

interface PolicyFlags {
  from: string
  profile?: string
  file?: string
  variable: Record<string, string>
  format: 'plain' | 'json'
}

interface CallerFlags {
  as: string
  group: string[]
  scope: string[]
}

/** `ftl policy`: what callers of the gateway may do. */
export function policyCommand(): Command {
  return new Command('policy')
    .description('Check the policy of a gateway, and explain what it permits')
    .addHelpText('after', EXAMPLES)
    .addCommand(checkCommand())
    .addCommand(explainCommand())
}

function checkCommand(): Command {
  return withPolicyOptions(new Command('check'))
    .description(
      'Find mistakes in a policy: its form, names that do not exist, rules that never apply',
    )
    .argument('[file]', 'file with the policy; without it, the variable policy')
    .addHelpText('after', CHECK_EXAMPLES)
    .action((file: string | undefined, flags: PolicyFlags) =>
      orFailed(async () => {
        const { name, policy, published } = await read({ ...flags, file: file ?? flags.file })
        const findings = checkPolicy(policy, published)
        process.exitCode = findings.length > 0 ? 1 : 0
        if (flags.format === 'json') {
          return lineJson({ valid: true, rules: policy.rules.length, findings })
        }
        for (const { path, message } of findings) line(`${name}: ${path}: ${message}`)
        noteMissing(published)
        const rules = policy.signedIn
          ? 'it permits everything to every authenticated caller'
          : counted(policy.rules.length, 'rule')
        line(
          `${name} is valid: ${rules}${findings.length > 0 ? `, ${counted(findings.length, 'finding')}` : ''}`,
        )
      }),
    )
}

function explainCommand(): Command {
  return withPolicyOptions(new Command('explain'))
    .description('Say what a caller may do, and which rule decides')
    .addArgument(
      new Argument(
        '[action]',
        'what the caller does; without it, all that the caller may do',
      ).choices(ACTIONS),
    )
    .argument('[name]', 'name of the tool or prompt, or address of the resource')
    .addOption(
      new Option(
        '--as <name>',
        'name of the caller: `{issuer}#{user}` for a token, `key:{name}` for an API key, or the user that a proxy names',
      ).makeOptionMandatory(),
    )
    .addOption(repeatable('--group <group>', 'group of the caller; repeatable'))
    .addOption(repeatable('--scope <scope>', 'scope of the caller; repeatable'))
    .addHelpText('after', EXPLAIN_EXAMPLES)
    .action(
      (action: Action | undefined, name: string | undefined, flags: PolicyFlags & CallerFlags) =>
        orFailed(async () => {
          const { policy, published } = await read(flags)
          const { as: principal, group: groups, scope: scopes } = flags
          const caller: Subject = { principal, groups, scopes }
          const json = flags.format === 'json'
          if (action === undefined) {
            const all = explainAll(policy, caller, published.entries)
            if (json) return lineJson(all.map((one) => asJson(caller, one)))
            for (const { action, target, decision } of all) {
              line(
                `  ${MARKS[decision.effect]} ${action.padEnd(4)} ${visible(target.name)}  ${paint('dim', decision.reason)}`,
              )
            }
            return noteMissing(published)
          }
          if (name === undefined && action !== 'chat' && action !== 'observe') {
            throw new CommandFailure(
              `name what is to be used: ftl policy explain --as ${principal} ${action} NAME`,
            )
          }
          const one = explain(policy, caller, published.entries, action, name ?? action)
          process.exitCode = EXIT_CODES[one.decision.effect]
          line(json ? JSON.stringify(asJson(caller, one)) : sentence(caller, one))
        }),
    )
}

const MARKS = {
  allow: paint('green', 'yes'),
  deny: paint('red', 'no '),
  ask: paint('yellow', 'ask'),
}

function withPolicyOptions(command: Command): Command {
  return command
    .addOption(fromOption())
    .option('--profile <name>', 'apply what `[component.X.profile.NAME]` changes')
    .option('--file <file>', 'file with the policy, instead of the variable')
    .addOption(variableOption())
    .addOption(
      new Option('--format <format>', 'form of the answer')
        .choices(['plain', 'json'])
        .default('plain'),
    )
}

function repeatable(flags: string, description: string): Option {
  return new Option(flags, description)
    .default([])
    .argParser((text: string, before: string[] = []) => [...before, text])
}

async function read({
  from,
  profile,
  file,
  variable,
}: PolicyFlags): Promise<PolicySource & { published: Published }> {
  const application = await loadApplication(from, [], { profile })
  const source = await readPolicy(application.manifest, file, variable)
  return { ...source, published: await publishedBy(application, variable, profile) }
}

function noteMissing({ missing }: Published): void {
  for (const { component, reason } of missing) {
    note(`ftl: "${component}" could not be queried for its tools: ${visible(reason)}`)
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A failure must not look like a decision. */
async function orFailed(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    note(describeFailure(error, process.env['FTL_DEBUG'] !== undefined))
    process.exitCode = FAILED
  }
}

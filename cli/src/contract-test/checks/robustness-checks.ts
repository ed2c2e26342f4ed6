/** Checks with unusual requests, and of internal details in responses. */
import { assertNone, type Check, NotApplicable } from '../check.ts'
import { withText } from '../invalid-samples.ts'
import { shorten } from '../offer.ts'
import type { PublishedTool } from '../offer.ts'
import type { Answer, Subject } from '../subject.ts'

const section = 'requests'
const MEGABYTE = 1 << 20
/** Deadline of the calls that check whether a tool observes it. */
const SHORT_DEADLINE_MS = 1500
/** Time for the connection to the component on a busy machine. */
const SLACK_MS = 500

/** Internal details: a stack, a path of the machine, an address of the application's own network. */
const LEAKS = [
  /\n\s+at \S+ ?\(?.*:\d+:\d+/,
  /\.(?:[cm]?[jt]sx?|rs|py|go):\d+(?::\d+)?/,
  /\bpanicked at\b/,
  /Traceback \(most recent call last\)/,
  /\bgoroutine \d+ \[/,
  /(?:^|[\s"'(])(?:\/(?:home|Users|root|usr|var|tmp|opt)\/|[A-Z]:\\)\S+/,
  /wasm backtrace|wasm-function\[|\.wasm\b/,
  /\.spin\.internal\b/,
]

const UNUSUAL_TEXTS: Readonly<Record<string, string>> = {
  'an emoji': '👩‍👩‍👧‍👦 é 漢字 \u202E',
  'a zero character': 'a\u0000b',
  'a lone surrogate': '\ud800',
  'an empty string': '',
  'quotes and line breaks': '"\\\r\n\t\u2028</script>${x}\'; DROP TABLE tools',
  'a long string': 'x'.repeat(20_000),
}

export const ROBUSTNESS_CHECKS: Check[] = [
  {
    id: 'robust.odd-texts',
    rule: 'unusual strings do not cause a failure: emoji, a zero character, a lone surrogate, 20 000 characters',
    section,
    fix: 'Accept every JSON string, or reject it with 400 or an "isError" result.',
    async run(subject) {
      const problems: string[] = []
      for (const { tool, sample } of await textTools(subject)) {
        for (const [what, text] of Object.entries(UNUSUAL_TEXTS)) {
          const answer = await subject.call(tool, withText(sample, text))
          const problem = failureProblem(answer)
          if (problem !== undefined) problems.push(`${answer.request} with ${what}: ${problem}`)
        }
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.big-body',
    rule: 'a body of 1 MB does not cause a failure',
    section,
    fix: 'Read the whole body, or return 413. The gateway forwards bodies of up to 4 MiB.',
    async run(subject) {
      const problems: string[] = []
      for (const tool of await subject.quickTools()) {
        const sample = subject.argumentsFor(tool)
        const big = 'x'.repeat(MEGABYTE)
        const args = withText(sample, big) ?? { ...(sample as object), 'no-such-argument': big }
        const answer = await subject.call(tool, args)
        const problem = failureProblem(answer)
        if (problem !== undefined) problems.push(`${answer.request} with 1 MB: ${problem}`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.headers',
    rule: 'invalid headers of the gateway are ignored',
    section,
    fix: 'Ignore a header of the gateway that you cannot parse.',
    async run(subject) {
      const problems: string[] = []
      for (const tool of await subject.quickTools()) {
        const usual = await subject.sample(tool)
        const answer = await subject.call(tool, subject.argumentsFor(tool), {
          'ftl-deadline': 'soon',
          'ftl-client-capabilities': '{',
          'ftl-log-level': 'loud',
          traceparent: 'none',
          accept: 'text/html;q=0.1, */*',
        })
        if (answer.status !== usual.status) {
          problems.push(`${answer.request} returned ${answer.status} instead of ${usual.status}`)
        }
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.deadline',
    rule: 'a call returns within its deadline',
    section,
    fix: 'Pass the deadline (ftl-deadline, milliseconds) to every request that the tool waits for, or use a job.',
    async run(subject) {
      const problems: string[] = []
      for (const tool of await subject.quickTools()) {
        const answer = await subject.call(tool, subject.argumentsFor(tool), {
          'ftl-deadline': String(SHORT_DEADLINE_MS),
        })
        if (answer.milliseconds > SHORT_DEADLINE_MS + SLACK_MS) {
          const took = Math.round(answer.milliseconds)
          problems.push(
            `${answer.request} took ${took} ms with a deadline of ${SHORT_DEADLINE_MS} ms`,
          )
        }
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.concurrency',
    rule: 'concurrent calls do not affect each other',
    section,
    fix: 'Do not store data of a call at module level.',
    async run(subject) {
      const problems: string[] = []
      for (const { tool, sample } of await textTools(subject)) {
        const marks = Array.from({ length: 8 }, (_, index) => `mark-${index}-of-this-call`)
        const answers = await Promise.all(
          marks.map((mark) => subject.call(tool, withText(sample, mark))),
        )
        for (const [index, { text, request }] of answers.entries()) {
          const other = marks.find((mark, at) => at !== index && text.includes(mark))
          if (other !== undefined) {
            problems.push(`${request} with "${marks[index]}" returned "${other}"`)
          }
        }
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.leaks',
    rule: 'no error contains a stack, a path or an internal address',
    section,
    fix: 'Write the error to the log, and return a message for the caller.',
    async run(subject) {
      // Looks at all responses so far: this check is the last one.
      await subject.offer()
      const failed = subject.answers.filter(
        ({ status, json }) =>
          status >= 400 || (json as { isError?: unknown } | undefined)?.isError === true,
      )
      if (failed.length === 0) throw new NotApplicable('no request was rejected or failed')
      assertNone(
        failed.flatMap(({ request, text }) => {
          const found = LEAKS.map((leak) => leak.exec(text)?.[0]).find(Boolean)
          return found === undefined ? [] : [`${request} returned "${shorten(found, 80)}"`]
        }),
      )
    },
  },
]

async function textTools(subject: Subject): Promise<{ tool: PublishedTool; sample: unknown }[]> {
  const tools = (await subject.quickTools())
    .map((tool) => ({ tool, sample: subject.argumentsFor(tool) }))
    .filter(({ sample }) => withText(sample, '') !== undefined)
  if (tools.length > 0) return tools
  throw new NotApplicable('no tool has an argument of type string')
}

function failureProblem({ status, text }: Answer): string | undefined {
  return status >= 500 ? `status ${status}: ${shorten(text, 80)}` : undefined
}

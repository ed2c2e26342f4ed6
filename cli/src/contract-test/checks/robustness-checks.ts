/** Of what clients really send, and what must not come out. */
import { assertNone, type Check, NotApplicable } from '../check.ts'
import { withText } from '../invalid-samples.ts'
import { shorten } from '../offer.ts'
import type { PublishedTool } from '../offer.ts'
import type { Answer, Subject } from '../subject.ts'

const section = 'requests'
const MEGABYTE = 1 << 20
/** Milliseconds a call is given when it is looked whether it keeps to them. */
const SHORT_DEADLINE_MS = 1500
/** For the way to the component and back on a busy machine. */
const SLACK_MS = 500

/** Signs of an inside: a stack, a path of the machine, an address of the application's own network. */
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

const ODD_TEXTS: Readonly<Record<string, string>> = {
  'an emoji': '👩‍👩‍👧‍👦 é 漢字 \u202E',
  'a zero': 'a\u0000b',
  'a lone surrogate': '\ud800',
  'an empty text': '',
  'quotes and breaks': '"\\\r\n\t\u2028</script>${x}\'; DROP TABLE tools',
  'a long text': 'x'.repeat(20_000),
}

export const ROBUSTNESS_CHECKS: Check[] = [
  {
    id: 'robust.odd-texts',
    holds:
      'odd texts are answered or refused: emoji, a zero character, half a surrogate, 20 000 letters',
    section,
    todo: 'Take every JSON string; refuse with 400 or an "isError" result what the tool cannot work with.',
    async run(subject) {
      const problems: string[] = []
      for (const { tool, sample } of await textTools(subject)) {
        for (const [what, text] of Object.entries(ODD_TEXTS)) {
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
    holds: 'a body of 1 MB is answered or refused',
    section,
    todo: 'Read the body to its end, or answer 413: the gateway passes on bodies of up to 4 MiB.',
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
    holds: 'headers it cannot read change nothing',
    section,
    todo: 'Take a header of the gateway that you cannot read as one that is not there.',
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
          problems.push(
            `${answer.request} was answered ${answer.status} in place of ${usual.status}`,
          )
        }
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.deadline',
    holds: 'a call is answered within the deadline it comes with, or not at all',
    section,
    todo: 'Pass the deadline (ftl-deadline, milliseconds) to whatever the tool waits for, or make it a job.',
    async run(subject) {
      const problems: string[] = []
      for (const tool of await subject.quickTools()) {
        const answer = await subject.call(tool, subject.argumentsFor(tool), {
          'ftl-deadline': String(SHORT_DEADLINE_MS),
        })
        if (answer.milliseconds > SHORT_DEADLINE_MS + SLACK_MS) {
          const took = Math.round(answer.milliseconds)
          problems.push(`${answer.request} took ${took} ms of ${SHORT_DEADLINE_MS}`)
        }
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.concurrency',
    holds: 'calls at the same time do not see each other',
    section,
    todo: 'Keep nothing of a call at module level: what a call needs belongs to the call.',
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
            problems.push(`${request} with "${marks[index]}" was answered with "${other}"`)
          }
        }
      }
      assertNone(problems)
    },
  },
  {
    id: 'robust.leaks',
    holds: 'no refusal or failure shows a stack, a path or an inner address',
    section,
    todo: 'Write the error to the log, and answer with words for the caller.',
    async run(subject) {
      // Of all that was asked before: this check comes last.
      await subject.offer()
      const failed = subject.answers.filter(
        ({ status, json }) =>
          status >= 400 || (json as { isError?: unknown } | undefined)?.isError === true,
      )
      if (failed.length === 0) throw new NotApplicable('nothing was refused and nothing failed')
      assertNone(
        failed.flatMap(({ request, text }) => {
          const found = LEAKS.map((leak) => leak.exec(text)?.[0]).find(Boolean)
          return found === undefined ? [] : [`${request} shows "${shorten(found, 80)}"`]
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
  throw new NotApplicable('no tool takes a text')
}

function failureProblem({ status, text }: Answer): string | undefined {
  return status >= 500 ? `${status} ${shorten(text, 80)}` : undefined
}

/** Where a text leads in a workflow. */
import type { NodeText } from '../workflow-text.ts'
import type { Consumer, Graph } from './graph.ts'
import { wordOf } from './input-words.ts'
import { textName } from './known-inputs.ts'

export interface Ends {
  positive: boolean
  negative: boolean
  system: boolean
  /** A node that finds what the text names in a picture. */
  finds: boolean
}

/** Outputs that carry what a text says. */
const CARRIES = /^(?:CONDITIONING|STRING|COMBO|GUIDER|\*|COMFY_\w+)$/
/** Inputs that take something else, where the type of the output is not known. */
const NOT_TEXT =
  /image|mask|latent|sample|pixel|video|audio|vae|noise|sigma|bbox|segs|points|mesh|^(?:model|clip|a|b)$/i
const POSITIVE = /^(?:positive(?:_\w+)?|pos|cond1)$/i
const FINDS = /SAM\d|Segment|Grounding|Dino|Detect|Florence|YOLO/i

/** Follows the text through conditionings and other texts to the inputs at its end. */
export function endsOf(node: NodeText, graph: Graph): Ends {
  const ends: Ends = { positive: false, negative: false, system: false, finds: isFinder(node) }
  const seen = new Set([node])
  // A set may grow while it is walked.
  for (const from of seen) {
    for (const consumer of graph.consumersOf(from.id)) {
      // What is zeroed says nothing any more.
      if (/ZeroOut/.test(consumer.node.classType) || !carries(from, consumer, graph)) continue
      const end = endAt(consumer)
      if (end) ends[end] = true
      else {
        if (isFinder(consumer.node)) ends.finds = true
        seen.add(consumer.node)
      }
    }
  }
  return ends
}

function endAt({ node, inputName }: Consumer): 'positive' | 'negative' | 'system' | undefined {
  const name = wordOf(inputName)
  if (POSITIVE.test(name)) return 'positive'
  if (name === 'conditioning' && /Guider/.test(node.classType)) return 'positive'
  const kind = textName(name)?.kind
  return kind === 'negative' || kind === 'system' ? kind : undefined
}

function carries(from: NodeText, { inputName, slot }: Consumer, graph: Graph): boolean {
  const type = graph.outputOf(from, slot)
  return type === undefined ? !NOT_TEXT.test(wordOf(inputName)) : CARRIES.test(type)
}

function isFinder({ classType }: NodeText): boolean {
  return FINDS.test(classType)
}

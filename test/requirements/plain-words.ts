/** Phrases that STYLEGUIDE.md bans, and where texts that people read contain them. */
import ts from 'typescript'

interface BannedPhrase {
  pattern: RegExp
  /** What to write. */
  instead: string
}

const BANNED: readonly BannedPhrase[] = [
  {
    pattern: /\b(nobody|anybody|everybody|whoever|whomever)\b/i,
    instead: 'name the program, the request or the user',
  },
  { pattern: /\banew\b/i, instead: '"again"' },
  { pattern: /\b(of|on) one['’]s own\b/i, instead: '"your own" or "custom"' },
  { pattern: /\bas of old\b/i, instead: '"as before"' },
  { pattern: /\bha(s|ve|d) (its|their|a) say\b/i, instead: 'say what it decides' },
  { pattern: /\b(is|are|was|were|be|been) taken for\b/i, instead: '"is treated as"' },
  {
    pattern: /\bl(ies|ie|ay) (in|beside|under|below|within|there)\b/i,
    instead: '"is in" or "is stored in"',
  },
  { pattern: /\bstands? in (?!for\b|front\b)/i, instead: '"is in" or "is stored in"' },
  { pattern: /\b(is|are|was|were) none\b/i, instead: '"is not a …" or "must be …"' },
  {
    // "there is no", "is no longer", "is no faster" are plain English.
    pattern:
      /(?<!\b(?:there|here) )\b(is|are|was|were) no (?!(more|less|different|exception|better|(long|fast|slow|larg|small|bigg|lat|earli|old|new|high|low|short|few|great|strict)er)\b)/i,
    instead: '"is not a …" or "must be …"',
  },
  { pattern: /\bwhat there is\b/i, instead: 'name the things' },
  {
    pattern: /\b(is|are|was|were|be|been) told\b/i,
    instead: '"receives", "is notified of" or "gets the error"',
  },
  { pattern: /\bsp(eaks?|oken) (to|with)\b/i, instead: '"connects to" or "sends requests to"' },
  { pattern: /\bslips? of the pen\b/i, instead: '"typo"' },
  { pattern: /\blimits? of rates?\b/i, instead: '"rate limit"' },
]

/** Banned in texts for users; a comment of the code may use them. */
const BANNED_IN_TEXTS: readonly BannedPhrase[] = [
  { pattern: /\btells? of\b/i, instead: '"reports"' },
  {
    pattern:
      /\b(one|only|for|of|to) who (asks|calls|comes|does|gets|has|holds|knows|listens|reads|sends|waits|wants)\b/i,
    instead: 'name the program, the request or the user',
  },
  { pattern: /\bwhom\b(?! to greet)/i, instead: 'the name of the program or the user' },
  { pattern: /\b(takes?|taking) up (the|a|an|every|each) changes?\b/i, instead: '"reload"' },
  { pattern: /\b(went|goes|go) (well|badly)\b/i, instead: '"succeeded" or "failed"' },
  { pattern: /\b(is|are|was) getting on\b/i, instead: '"reports its progress"' },
  { pattern: /\btakes? no notice\b/i, instead: '"ignores"' },
  { pattern: /\bcomes? to nothing\b/i, instead: '"fails"' },
  { pattern: /\bsigns? of life\b/i, instead: '"heartbeat"' },
  { pattern: /\b(is|are) no news\b/i, instead: '"is ignored"' },
  { pattern: /\bwithout a word\b/i, instead: '"without a response"' },
  {
    pattern: /^[ ·]*#+ (Begin|Lines|The end|The page|Who|What)$/im,
    instead: 'a heading that says what the section does',
  },
]

/** The phrases of a comment, each as `line: "…" (write …)`. */
export function bannedPhrases(text: string): string[] {
  return phrasesIn(text, BANNED)
}

/** The phrases of a text for users: pages, messages, help. */
export function bannedInTexts(text: string): string[] {
  return phrasesIn(text, [...BANNED, ...BANNED_IN_TEXTS])
}

function phrasesIn(text: string, banned: readonly BannedPhrase[]): string[] {
  // A phrase may continue on the next line.
  const flat = text.replace(/\s/g, ' ')
  return banned.flatMap(({ pattern, instead }) =>
    [...(pattern.multiline ? text : flat).matchAll(new RegExp(pattern, `g${pattern.flags}`))].map(
      ({ 0: phrase, index }) => {
        const line = text.slice(0, index).split('\n').length
        return `${line}: "${phrase.trim()}" (write ${instead})`
      },
    ),
  )
}

/** Markdown without code, quotations of other texts and link targets; lines keep their numbers. */
export function proseOf(markdown: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, '·')
  return markdown
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`]*`/g, blank)
    .replace(/\]\([^)]*\)/g, blank)
}

/** Every string and every text of JSX in a TypeScript file, at its line; all else is blank. */
export function messagesOf(source: string, file: string): string {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const lines: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed))
      lines[line] = `${lines[line] ?? ''} ${node.text.replace(/\s/g, ' ')} ·`
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return Array.from(lines, (line) => line ?? '·').join('\n')
}

/** The comments of a TypeScript file without code in backticks; all else is blank, and lines keep their numbers. */
export function commentsOf(source: string, file: string): string {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const shown = source.replace(/[^\n]/g, ' ').split('')
  const show = (ranges: readonly ts.CommentRange[] = []) => {
    for (const { pos, end } of ranges) {
      for (let at = pos; at < end; at++) shown[at] = source[at] ?? ''
    }
  }
  const visit = (node: ts.Node): void => {
    // Text of JSX may look like a comment.
    if (ts.isJsxText(node)) return
    show(ts.getLeadingCommentRanges(source, node.getFullStart()))
    show(ts.getTrailingCommentRanges(source, node.getEnd()))
    for (const child of node.getChildren(parsed)) visit(child)
  }
  visit(parsed)
  return shown
    .join('')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/./g, '·'))
    .replace(/^([ \t]*)(\*(?!\/)|\/\/)/gm, '$1 ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n /g, '\n')
}

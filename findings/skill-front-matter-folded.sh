#!/bin/sh
# @modelcontextprotocol/server 2.4.0 with yaml 2.9.1 (npm): skillEntry refuses front matter that the YAML library has written.
#
# Guess: the front matter of a SKILL.md is YAML, so what a YAML library writes for a name and a description can be read by the
# official SDK.
# Seen (29 November 2026): a description of more than 80 columns with a colon in it is written in quotes, over two lines. skillEntry
# reads YAML with a parser of its own, which takes a quoted value on one line only, and refuses the skill: "a quoted value must close on
# the same line". With lineWidth 0, which keeps it on one line, the same description is read. PyYAML 6 wraps such values, too.
#
# So a program that writes SKILL.md files must write long values on one line, or as a block (`description: >`).
#
# Needs node (20 or newer) and npm. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact '@modelcontextprotocol/server@2.4.0' 'yaml@2.9.1'

cat > run.js <<'JS'
import { skillEntry } from '@modelcontextprotocol/server/ext/skills'
import { parse, stringify } from 'yaml'

const skill = {
  name: 'refunds',
  description:
    'Answers questions about refunds: which orders qualify, how long customers have, and who decides about the rest.',
}

async function read(options) {
  const text = stringify(skill, options)
  if (parse(text).description !== skill.description) throw new Error('yaml does not read what it wrote')
  const file = new TextEncoder().encode(`---\n${text}---\nAsk for the number of the order.\n`)
  try {
    const { frontmatter } = await skillEntry('refunds', { 'SKILL.md': file })
    return frontmatter.description === skill.description ? 'read' : 'read as another text'
  } catch (error) {
    return `refused: ${error.message.replaceAll(/\s+/g, ' ')}`
  }
}

const folded = await read({})
const onOneLine = await read({ lineWidth: 0 })
console.log(`over two lines: ${folded}`)
console.log(`on one line: ${onOneLine}`)
if (!/^refused: .*quoted value must close on the same line/.test(folded) || onOneLine !== 'read') process.exit(1)
JS

if node run.js; then
  echo 'as described'
else
  echo 'the behaviour has changed' >&2
  exit 1
fi

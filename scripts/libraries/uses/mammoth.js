import { zipSync, strToU8 } from 'fflate'
import mammoth from 'mammoth'

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'

export default async () => {
  const bytes = zipSync({
    '_rels/.rels': strToU8(
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="r" Type="${OFFICE}" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': strToU8(
      `<w:document xmlns:w="${WORD}"><w:body><w:p><w:r><w:t>Hello, Ann</w:t></w:r></w:p></w:body></w:document>`,
    ),
  })
  const arrayBuffer = bytes.buffer
  // In Node the package takes a Buffer, in browsers an ArrayBuffer.
  const input = typeof Buffer === 'function' ? { buffer: Buffer.from(bytes) } : { arrayBuffer }
  return (await mammoth.convertToHtml({ ...input, arrayBuffer })).value
}

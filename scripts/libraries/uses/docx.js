import { Document, Packer, Paragraph } from 'docx'
import { strFromU8, unzipSync } from 'fflate'

export default async () => {
  const document = new Document({ sections: [{ children: [new Paragraph('Hello, Ann')] }] })
  const bytes = await (await Packer.toBlob(document)).arrayBuffer()
  const text = strFromU8(unzipSync(new Uint8Array(bytes))['word/document.xml'])
  return [text.includes('Hello, Ann'), text.startsWith('<?xml')]
}

import { PDFDocument, StandardFonts } from 'pdf-lib'

export default async () => {
  const document = await PDFDocument.create()
  const page = document.addPage([200, 100])
  const font = await document.embedFont(StandardFonts.Helvetica)
  page.drawText('Hello', { x: 10, y: 50, size: 20, font })
  const bytes = await document.save()
  const read = await PDFDocument.load(bytes)
  return [
    read.getPageCount(),
    read.getPage(0).getSize(),
    new TextDecoder('latin1').decode(bytes.slice(0, 5)),
  ]
}

import PDFDocument, { registerStdFonts } from 'pdfkit'
import Helvetica from 'pdfkit/standard-fonts/Helvetica'

export default () => {
  registerStdFonts(Helvetica)
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ compress: false, info: { CreationDate: new Date(0) } })
    let text = ''
    document.on('data', (piece) => (text += new TextDecoder('latin1').decode(piece)))
    document.on('end', () => resolve([text.slice(0, 5), text.trimEnd().endsWith('%%EOF')]))
    document.on('error', reject)
    document.text('Hello')
    document.end()
  })
}

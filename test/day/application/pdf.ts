import { createTool, ToolResponse } from 'ftl-sdk'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'pdf',
    description: 'Writes a PDF of one page for each line',
    inputSchema: z.object({ lines: z.array(z.string()).min(1) }),
  },
  handler: async ({ lines }) => {
    const made = await PDFDocument.create()
    const font = await made.embedFont(StandardFonts.Helvetica)
    for (const line of lines) made.addPage([300, 200]).drawText(line, { x: 20, y: 100, font })
    const bytes = await made.save()
    const read = await PDFDocument.load(bytes)
    return ToolResponse.content(
      `${read.getPageCount()} pages`,
      ToolResponse.resource({ uri: 'file:///lines.pdf', mimeType: 'application/pdf', blob: bytes }),
    )
  },
})

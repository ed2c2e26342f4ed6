import ExcelJS from 'exceljs'

export default async () => {
  const book = new ExcelJS.Workbook()
  book.created = new Date(0)
  book.addWorksheet('People').addRows([
    ['name', 'age'],
    ['Ann', 41],
  ])
  const bytes = await book.xlsx.writeBuffer()
  const read = new ExcelJS.Workbook()
  await read.xlsx.load(bytes)
  return read.getWorksheet('People').getSheetValues()
}

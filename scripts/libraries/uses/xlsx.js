import * as XLSX from 'xlsx'

export default () => {
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(
    book,
    XLSX.utils.aoa_to_sheet([
      ['name', 'age'],
      ['Ann', 41],
    ]),
    'People',
  )
  const bytes = XLSX.write(book, { type: 'array', bookType: 'xlsx' })
  const read = XLSX.read(new Uint8Array(bytes), { type: 'array' })
  return XLSX.utils.sheet_to_json(read.Sheets.People)
}

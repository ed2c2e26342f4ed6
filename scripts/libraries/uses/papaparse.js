import Papa from 'papaparse'

export default () => [
  Papa.parse('name,age\n"Smith, Ann",41\nBob,7', { header: true, dynamicTyping: true }).data,
  Papa.unparse([{ a: 1, b: 'x,y' }]),
]

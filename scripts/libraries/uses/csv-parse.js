import { parse } from 'csv-parse/sync'

export default () => parse('name,age\n"Smith, Ann",41\n', { columns: true })

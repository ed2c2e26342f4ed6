import { Decimal } from 'decimal.js'

export default () => [new Decimal('0.1').plus('0.2').toString(), new Decimal(2).sqrt().toFixed(30)]

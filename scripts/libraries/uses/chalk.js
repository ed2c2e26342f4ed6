import { Chalk } from 'chalk'

export default () => new Chalk({ level: 1 }).red.bold('failed')

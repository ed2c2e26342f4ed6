import { v4, v5, v7, validate, version } from 'uuid'

export default () => [v5('example.com', v5.DNS), validate(v4()), version(v7()), v4() === v4()]
